/** Spending limits per subject and period. */
@NullMarked
package dev.parley.domain.budget;

import org.jspecify.annotations.NullMarked;
