/** Inspection of topics and their records, for operators. */
@NullMarked
package dev.parley.control.topics;

import org.jspecify.annotations.NullMarked;
