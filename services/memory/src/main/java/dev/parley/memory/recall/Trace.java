package dev.parley.memory.recall;

import java.util.List;
import java.util.Map;

/**
 * The trace of a recall.
 *
 * @param arms results of each retriever, in order
 * @param fused number of different items
 * @param times of each retriever, of fusing and reranking, and of packing, in nanoseconds
 */
public record Trace(Map<Retriever, List<Step>> arms, int fused, Map<String, Long> times) {
    /**
     * A result of a retriever.
     *
     * @param rank from 1
     * @param score of this retriever: a cosine, a BM25 score, or a strength of connection
     */
    public record Step(String id, int rank, double score) {}
}
