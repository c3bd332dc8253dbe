/** Embedding worker: makes the vectors of texts for memory banks. */
@NullMarked
package dev.parley.memory.embed;

import org.jspecify.annotations.NullMarked;
