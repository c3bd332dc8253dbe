/** What archives of projects hold of their definitions. */
@NullMarked
package dev.parley.control.archive;

import org.jspecify.annotations.NullMarked;
