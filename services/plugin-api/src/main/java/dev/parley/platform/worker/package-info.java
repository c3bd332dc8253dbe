/** Cancellation of running calls. */
@NullMarked
package dev.parley.platform.worker;

import org.jspecify.annotations.NullMarked;
