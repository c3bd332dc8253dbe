/** Rows of what hosts and projects define: agents, tools, skills, endpoints and rules. */
@NullMarked
package dev.parley.control.definitions;

import org.jspecify.annotations.NullMarked;
