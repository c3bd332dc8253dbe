/** Agent definitions of projects and hosts, changed at runtime. */
@NullMarked
package dev.parley.control.agents;

import org.jspecify.annotations.NullMarked;
