/**
 * Budgets of hosts, projects and users: a model call reserves its estimate in advance and settles its usage afterwards.
 */
@NullMarked
package dev.parley.agents.budget;

import org.jspecify.annotations.NullMarked;
