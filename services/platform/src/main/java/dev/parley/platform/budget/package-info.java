/** JSON of budgets and prices, in settings and on the topic {@code access}. */
@NullMarked
package dev.parley.platform.budget;

import org.jspecify.annotations.NullMarked;
