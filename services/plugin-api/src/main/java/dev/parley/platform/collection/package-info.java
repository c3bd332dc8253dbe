/** Bounded maps and counters. */
@NullMarked
package dev.parley.platform.collection;

import org.jspecify.annotations.NullMarked;
