package dev.parley.domain.memory.consolidate;

import java.time.Instant;
import java.util.List;

/** What consolidation decides. */
public sealed interface Change {
    /**
     * There is a new observation.
     *
     * @param sources ids of the facts that say it, the oldest first
     * @param outdated ids of facts that it contradicts: they hold no longer than until {@code since}
     * @param since when the newest of its sources was said
     */
    record Create(String text, List<String> sources, List<String> outdated, Instant since) implements Change {
        public Create {
            sources = List.copyOf(sources);
            outdated = List.copyOf(outdated);
        }
    }

    /**
     * An observation has another text or more proof. What it was before is kept as its history.
     *
     * @param id of the observation
     * @param sources ids of all facts that now say it, the oldest first
     * @param outdated ids of facts that hold no longer than until {@code since}
     * @param reason for those who read the history
     * @param contradicts whether its text before holds no longer than until {@code since}, instead of being said better now
     * @param since when the newest of its sources was said
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
     * An observation is wrong or empty, and goes. Only a model decides this.
     *
     * @param id of the observation
     * @param reason for those who read the history
     */
    record Delete(String id, String reason) implements Change {}

    /**
     * A fact stands for itself. It is looked at again when others are near it.
     *
     * @param fact id of its unit
     */
    record Keep(String fact) implements Change {}
}
