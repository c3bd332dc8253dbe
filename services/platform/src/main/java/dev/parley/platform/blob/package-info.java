/** Bytes that are too large for records. */
@NullMarked
package dev.parley.platform.blob;

import org.jspecify.annotations.NullMarked;
