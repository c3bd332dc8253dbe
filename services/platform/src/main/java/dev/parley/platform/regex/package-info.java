/** Regular expressions of strangers. */
@NullMarked
package dev.parley.platform.regex;

import org.jspecify.annotations.NullMarked;
