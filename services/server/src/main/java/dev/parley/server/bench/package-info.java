/** Benchmarks that anyone can run: {@code ./parley bench}. */
@NullMarked
package dev.parley.server.bench;

import org.jspecify.annotations.NullMarked;
