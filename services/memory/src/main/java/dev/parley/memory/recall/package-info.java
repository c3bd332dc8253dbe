/**
 * Recall: what a bank has that helps to answer a question. Several arms look for it, each in its own way; their ranks are fused, a
 * reranker looks closer at what came together, and the best of it is packed into as many tokens as the caller has room for.
 *
 * <p>Nothing is left to chance: the same question to the same index gives the same answer, equal ones in the order of their ids.
 */
@NullMarked
package dev.parley.memory.recall;

import org.jspecify.annotations.NullMarked;
