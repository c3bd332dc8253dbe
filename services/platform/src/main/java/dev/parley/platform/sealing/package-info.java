/** Secrets that are kept: sealed by a master key that is kept elsewhere. */
@NullMarked
package dev.parley.platform.sealing;

import org.jspecify.annotations.NullMarked;
