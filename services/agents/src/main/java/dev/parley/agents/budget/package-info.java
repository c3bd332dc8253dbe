/** Budgets of hosts, projects and people: what a model call may use is reserved before it is made, and counted after. */
@NullMarked
package dev.parley.agents.budget;

import org.jspecify.annotations.NullMarked;
