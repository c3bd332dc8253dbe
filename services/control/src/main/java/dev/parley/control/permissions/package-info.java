/** Rules about tool calls of hosts and projects, and which of them decides. */
@NullMarked
package dev.parley.control.permissions;

import org.jspecify.annotations.NullMarked;
