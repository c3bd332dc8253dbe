/** Tools that work on the folder of a local or git project. */
@NullMarked
package dev.parley.tools.checkout;

import org.jspecify.annotations.NullMarked;
