/** API keys and how often they are used. */
@NullMarked
package dev.parley.control.keys;

import org.jspecify.annotations.NullMarked;
