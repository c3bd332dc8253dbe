/** Topics, for operators who look at what stands on them. */
@NullMarked
package dev.parley.control.topics;

import org.jspecify.annotations.NullMarked;
