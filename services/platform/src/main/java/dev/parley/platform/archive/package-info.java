/** Project archives, as far as several modules write and read them. */
@NullMarked
package dev.parley.platform.archive;

import org.jspecify.annotations.NullMarked;
