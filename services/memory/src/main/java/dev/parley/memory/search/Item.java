package dev.parley.memory.search;

import dev.parley.domain.memory.FactType;
import dev.parley.language.time.TimeSpan;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A version of an item in the index.
 *
 * @param id of the item, the same in all versions
 * @param type of a unit; of a passage, {@code WORLD} from a person and {@code EXPERIENCE} from the agent; null where it
 *     has none
 * @param context topic or speaker; its words count like those of the text
 * @param source the turn or document that it comes from, or null
 * @param place position in the conversation, or null
 * @param occurred when it happened, or null where unknown
 * @param mentionedAt when it was said, or null where unknown
 * @param entities ids of the entities it mentions
 * @param proofCount number of supporting facts, at least 1
 * @param knownFrom system time from which this version is known
 * @param knownUntil system time at which it ended, or null
 */
@RecordBuilder
public record Item(
        String id,
        ItemKind kind,
        @Nullable FactType type,
        String text,
        @Nullable String context,
        @Nullable String source,
        @Nullable MessagePosition place,
        @Nullable TimeSpan occurred,
        @Nullable Instant mentionedAt,
        List<String> entities,
        Set<String> tags,
        int proofCount,
        Instant knownFrom,
        @Nullable Instant knownUntil)
        implements ItemBuilder.With {
    /** @throws IllegalArgumentException where it ends before it begins, or has no supporting fact */
    public Item {
        if (knownUntil != null && knownUntil.isBefore(knownFrom)) {
            throw new IllegalArgumentException(
                    id + " cannot be known until " + knownUntil + " and only from " + knownFrom);
        }
        if (proofCount < 1) {
            throw new IllegalArgumentException(
                    id + " has the proof count " + proofCount + ", which must be at least 1");
        }
        entities = List.copyOf(new TreeSet<>(entities));
        tags = Set.copyOf(tags);
    }

    /** An item with these properties only. */
    public static Item of(String id, ItemKind kind, @Nullable FactType type, String text, Instant knownFrom) {
        return new Item(id, kind, type, text, null, null, null, null, null, List.of(), Set.of(), 1, knownFrom, null);
    }

    public Item from(@Nullable String aSource, @Nullable MessagePosition aPlace) {
        return with().source(aSource).place(aPlace).build();
    }

    public Item at(@Nullable TimeSpan anOccurred, @Nullable Instant aMentionedAt) {
        return with().occurred(anOccurred).mentionedAt(aMentionedAt).build();
    }

    /** When it happened, else when it was said; null where both are unknown. */
    public @Nullable Instant date() {
        TimeSpan time = occurred;
        return time != null ? time.from() : mentionedAt;
    }

    /** The text for keyword search; embeddings should be made of the same. */
    public String words() {
        return context == null ? text : context + "\n" + text;
    }
}
