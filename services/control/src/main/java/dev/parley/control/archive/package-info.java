/** Definitions in project archives. */
@NullMarked
package dev.parley.control.archive;

import org.jspecify.annotations.NullMarked;
