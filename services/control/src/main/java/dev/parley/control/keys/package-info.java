/** Keys of the API. */
@NullMarked
package dev.parley.control.keys;

import org.jspecify.annotations.NullMarked;
