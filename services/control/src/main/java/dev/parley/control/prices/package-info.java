/** What models cost, set while everything runs. */
@NullMarked
package dev.parley.control.prices;

import org.jspecify.annotations.NullMarked;
