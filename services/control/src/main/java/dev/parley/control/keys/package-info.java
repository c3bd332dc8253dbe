/** API keys and their usage counts. */
@NullMarked
package dev.parley.control.keys;

import org.jspecify.annotations.NullMarked;
