package dev.parley.domain.memory.consolidate;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * What the agent judges, and how sure it is. Evidence changes how sure: each fact that says the same takes away a fifth of the
 * doubt, each that contradicts takes away half of the trust. The text stays: whoever judges anew says something new.
 *
 * @param said the opinion
 * @param confidence from 0 to 1
 */
public record Opinion(Source said, double confidence) {
    /** The share of the doubt that one fact takes away. */
    public static final double SUPPORT = 0.2;

    /** The share of the trust that one fact takes away. */
    public static final double DOUBT = 0.5;

    /** @throws IllegalArgumentException where the confidence is not from 0 to 1 */
    public Opinion {
        if (!(confidence >= 0 && confidence <= 1)) {
            throw new IllegalArgumentException("a confidence has to be from 0 to 1, and is " + confidence);
        }
    }

    /**
     * The opinion after newer facts, the oldest first; those that were said before it change nothing.
     *
     * @param facts near it, of other speakers or newer; what is not about the same changes nothing
     * @throws IllegalArgumentException where vectors are of different lengths, so of different models
     */
    public Opinion after(Collection<Source> facts) {
        List<Source> newer = facts.stream()
                .filter(fact -> fact.at().isAfter(said.at()) && !fact.id().equals(said.id()))
                .sorted(Comparator.comparing(Source::at).thenComparing(Source::id))
                .toList();
        double sure = confidence;
        for (Source fact : newer) {
            sure = switch (Consolidation.compare(fact, said)) {
                case SAME -> sure + (1 - sure) * SUPPORT;
                case CONTRARY -> sure * (1 - DOUBT);
                case OTHER -> sure;
            };
        }
        return new Opinion(said, sure);
    }
}
