/** Tools for the checkout of a local or git project. */
@NullMarked
package dev.parley.tools.checkout;

import org.jspecify.annotations.NullMarked;
