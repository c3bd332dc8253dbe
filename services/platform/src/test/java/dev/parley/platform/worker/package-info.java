/** Workers against a real broker. */
@NullMarked
package dev.parley.platform.worker;

import org.jspecify.annotations.NullMarked;
