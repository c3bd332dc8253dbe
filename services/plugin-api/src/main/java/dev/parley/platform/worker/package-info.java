/** How a running call is told to stop. */
@NullMarked
package dev.parley.platform.worker;

import org.jspecify.annotations.NullMarked;
