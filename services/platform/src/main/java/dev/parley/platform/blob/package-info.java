/** Storage for content that is too large for records. */
@NullMarked
package dev.parley.platform.blob;

import org.jspecify.annotations.NullMarked;
