/** Project archives that several modules write and read. */
@NullMarked
package dev.parley.platform.archive;

import org.jspecify.annotations.NullMarked;
