/** Agents as they stand in their table. */
@NullMarked
package dev.parley.control.definitions;

import org.jspecify.annotations.NullMarked;
