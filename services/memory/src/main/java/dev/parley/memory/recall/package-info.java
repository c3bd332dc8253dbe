/**
 * Recall: finds the memories of a bank that help to answer a query. Several retrievers search independently; a
 * reranker scores the candidates of all of them, and the best are packed within the token limit of the caller.
 *
 * <p>Recall is deterministic: the same query on the same index yields the same answer, with ties broken by id.
 */
@NullMarked
package dev.parley.memory.recall;

import org.jspecify.annotations.NullMarked;
