package dev.parley.memory.recall;

import java.util.List;

/** Looks closer at what the arms found together. It must give the same for the same. */
@FunctionalInterface
public interface Reranker {
    /** A score for each of the candidates, in their order, not below 0: the higher, the better. */
    double[] scores(Question question, List<Candidate> candidates);

    /** What the ranks are worth, as it is. */
    Reranker NONE = (question, candidates) ->
            candidates.stream().mapToDouble(Candidate::fused).toArray();
}
