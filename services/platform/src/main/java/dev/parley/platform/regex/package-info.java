/** Matching of untrusted regular expressions with bounded time and memory. */
@NullMarked
package dev.parley.platform.regex;

import org.jspecify.annotations.NullMarked;
