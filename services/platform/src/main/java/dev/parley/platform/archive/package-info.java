/** Archives of projects, as far as more than one module writes and reads them. */
@NullMarked
package dev.parley.platform.archive;

import org.jspecify.annotations.NullMarked;
