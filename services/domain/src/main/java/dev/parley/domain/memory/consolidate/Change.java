package dev.parley.domain.memory.consolidate;

import java.time.Instant;
import java.util.List;

/** A consolidation decision. */
public sealed interface Change {
    /**
     * A new observation.
     *
     * @param sources ids of the supporting facts, oldest first
     * @param outdated ids of contradicted facts: valid until {@code since} only
     * @param since time of its newest source
     */
    record Create(String text, List<String> sources, List<String> outdated, Instant since) implements Change {
        public Create {
            sources = List.copyOf(sources);
            outdated = List.copyOf(outdated);
        }
    }

    /**
     * A new text or further support of an observation. The previous version stays in its history.
     *
     * @param id of the observation
     * @param sources ids of all supporting facts, oldest first
     * @param outdated ids of facts that are valid until {@code since} only
     * @param reason for readers of the history
     * @param contradicts whether the previous text is superseded as of {@code since}, instead of being reworded
     * @param since time of its newest source
     */
    record Update(
            String id,
            String text,
            List<String> sources,
            List<String> outdated,
            String reason,
            boolean contradicts,
            Instant since)
            implements Change {
        public Update {
            sources = List.copyOf(sources);
            outdated = List.copyOf(outdated);
        }
    }

    /**
     * Retires an observation that is wrong or empty. Decided by models only.
     *
     * @param id of the observation
     * @param reason for readers of the history
     */
    record Delete(String id, String reason) implements Change {}

    /**
     * Leaves a fact unconsolidated. It is reconsidered when related ones appear.
     *
     * @param fact id of its unit
     */
    record Keep(String fact) implements Change {}
}
