/** The meaning of texts as vectors, and what is found by it. */
@NullMarked
package dev.parley.platform.embedding;

import org.jspecify.annotations.NullMarked;
