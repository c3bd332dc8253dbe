/** {@code parley bench}: benchmarks. */
@NullMarked
package dev.parley.server.bench;

import org.jspecify.annotations.NullMarked;
