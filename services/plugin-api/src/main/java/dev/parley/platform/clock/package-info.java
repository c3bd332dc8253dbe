/** Time for waits inside a process. */
@NullMarked
package dev.parley.platform.clock;

import org.jspecify.annotations.NullMarked;
