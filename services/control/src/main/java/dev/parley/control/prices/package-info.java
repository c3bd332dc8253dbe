/** Model prices, changed at runtime. */
@NullMarked
package dev.parley.control.prices;

import org.jspecify.annotations.NullMarked;
