package dev.parley.domain.memory;

import dev.parley.language.time.TimeSpan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an extractor found in a text, before it is a unit of a bank.
 *
 * @param text the fact, understandable without what stood around it
 * @param context what it was said in, or null
 * @param type {@code WORLD}, {@code EXPERIENCE} or {@code OPINION}
 * @param confidence of an opinion, from 0 to 1; null for the others
 * @param occurred when it happened; null where that is unknown or it is no event
 * @param entities names of the people and things that it is about, as they were written, each once
 * @param relations to earlier facts of the same text
 * @param from where in the text it was said: index of its first character
 * @param to where in the text it was said: index behind its last character
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
     * That this fact causes, is caused by, enables or prevents another.
     *
     * @param fact index of the other one among the facts of the text, lower than its own
     */
    public record Relation(LinkType type, int fact) {}
}
