package dev.parley.domain.memory.consolidate;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * An opinion of the agent with its confidence. Each supporting fact reduces the remaining doubt by a fifth, each
 * contradicting one halves the confidence. The text never changes: another judgement is another opinion.
 *
 * @param said the opinion
 * @param confidence from 0 to 1
 */
public record Opinion(FactSource said, double confidence) {
    /** Share of the doubt removed by a supporting fact. */
    public static final double SUPPORT = 0.2;

    /** Share of the confidence removed by a contradicting fact. */
    public static final double DOUBT = 0.5;

    /** @throws IllegalArgumentException for a confidence outside 0 to 1 */
    public Opinion {
        if (!(confidence >= 0 && confidence <= 1)) {
            throw new IllegalArgumentException("a confidence must be from 0 to 1, and is " + confidence);
        }
    }

    /**
     * The opinion after newer facts, oldest first; earlier ones have no effect.
     *
     * @param facts related ones; those not about the same subject have no effect
     * @throws IllegalArgumentException for vectors of different dimensions, as of different models
     */
    public Opinion after(Collection<FactSource> facts) {
        List<FactSource> newer = facts.stream()
                .filter(fact -> fact.at().isAfter(said.at()) && !fact.id().equals(said.id()))
                .sorted(Comparator.comparing(FactSource::at).thenComparing(FactSource::id))
                .toList();
        double sure = confidence;
        for (FactSource fact : newer) {
            sure = switch (Consolidation.compare(fact, said)) {
                case SAME -> sure + (1 - sure) * SUPPORT;
                case CONTRARY -> sure * (1 - DOUBT);
                case OTHER -> sure;
            };
        }
        return new Opinion(said, sure);
    }
}
