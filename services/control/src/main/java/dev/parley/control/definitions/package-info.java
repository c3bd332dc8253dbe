/** Rows of the definitions of hosts and projects: agents, tools, skills, endpoints and rules. */
@NullMarked
package dev.parley.control.definitions;

import org.jspecify.annotations.NullMarked;
