/** Permission rules of hosts and projects about tool calls, and their evaluation. */
@NullMarked
package dev.parley.control.permissions;

import org.jspecify.annotations.NullMarked;
