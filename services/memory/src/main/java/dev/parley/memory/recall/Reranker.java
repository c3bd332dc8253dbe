package dev.parley.memory.recall;

import java.util.List;

/** Scores the candidates of all retrievers; the score decides their order. It must be deterministic. */
@FunctionalInterface
public interface Reranker {
    /** A score for each candidate, in their order, at least 0: the higher, the better. */
    double[] scores(RecallQuestion question, List<RecallCandidate> candidates);

    /** Keeps the fused scores. */
    Reranker NONE = (question, candidates) ->
            candidates.stream().mapToDouble(RecallCandidate::fusedScore).toArray();
}
