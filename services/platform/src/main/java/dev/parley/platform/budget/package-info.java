/** Budgets and prices as people write them: JSON, in settings and on the topic access. */
@NullMarked
package dev.parley.platform.budget;

import org.jspecify.annotations.NullMarked;
