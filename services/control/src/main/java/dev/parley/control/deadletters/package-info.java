/** Dead letters, for operators: what they are, why, and once more to their topics. */
@NullMarked
package dev.parley.control.deadletters;

import org.jspecify.annotations.NullMarked;
