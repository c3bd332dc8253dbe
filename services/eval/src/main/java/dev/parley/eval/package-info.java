/** Evaluations: how good something is, on data that the user brings. */
@NullMarked
package dev.parley.eval;

import org.jspecify.annotations.NullMarked;
