package dev.parley.memory.recall;

import java.util.List;
import java.util.Map;

/**
 * How an answer came about.
 *
 * @param arms what each arm that looked found, in its order
 * @param fused how many different things that were
 * @param times how long each arm, the fusing and the reranking, and the packing took, in nanoseconds
 */
public record Trace(Map<Retriever, List<Step>> arms, int fused, Map<String, Long> times) {
    /**
     * What an arm found.
     *
     * @param rank from 1
     * @param score of this arm: a cosine, a weight of words, or a strength of connection
     */
    public record Step(String id, int rank, double score) {}
}
