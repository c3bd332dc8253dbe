/** Dead letters for operators: what failed and why, and re-drive. */
@NullMarked
package dev.parley.control.deadletters;

import org.jspecify.annotations.NullMarked;
