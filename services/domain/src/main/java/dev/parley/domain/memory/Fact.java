package dev.parley.domain.memory;

import dev.parley.language.time.TimeSpan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fact extracted from a text, before it becomes a unit of a bank.
 *
 * @param text understandable without its surroundings
 * @param context of the statement, or null
 * @param type {@code WORLD}, {@code EXPERIENCE} or {@code OPINION}
 * @param confidence of an opinion, from 0 to 1; null for other types
 * @param occurred time of the event; null if unknown or not an event
 * @param entities distinct names of people and objects, as written
 * @param relations to earlier facts of the same text
 * @param from start index of its source in the text
 * @param to end index of its source in the text, exclusive
 */
public record Fact(
        String text,
        @Nullable String context,
        FactType type,
        @Nullable Double confidence,
        @Nullable TimeSpan occurred,
        List<String> entities,
        List<Relation> relations,
        int from,
        int to) {
    public Fact {
        entities = List.copyOf(entities);
        relations = List.copyOf(relations);
    }

    /**
     * This fact causes, is caused by, enables or prevents another.
     *
     * @param fact index of the other fact in the text, lower than its own
     */
    public record Relation(LinkType type, int fact) {}
}
