/** Settings and budgets. */
@NullMarked
package dev.parley.control.settings;

import org.jspecify.annotations.NullMarked;
