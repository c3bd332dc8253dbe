/** Embeddings of texts, and hybrid search by meaning and keywords. */
@NullMarked
package dev.parley.platform.embedding;

import org.jspecify.annotations.NullMarked;
