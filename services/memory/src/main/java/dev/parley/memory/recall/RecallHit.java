package dev.parley.memory.recall;

import dev.parley.domain.memory.FactType;
import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.ItemKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A recalled item.
 *
 * @param source the turn or document that it comes from
 * @param score the higher, the better; comparable within one answer
 * @param arms the retrievers that found it, with rank from 1
 */
public record RecallHit(
        String id,
        ItemKind kind,
        @Nullable FactType type,
        String text,
        @Nullable String context,
        @Nullable String source,
        @Nullable TimeSpan occurred,
        @Nullable Instant mentionedAt,
        List<String> entities,
        double score,
        Map<Retriever, Integer> arms) {
    public RecallHit {
        entities = List.copyOf(entities);
        arms = Map.copyOf(arms);
    }

    static RecallHit of(Item item, double score, Map<Retriever, Integer> arms) {
        return new RecallHit(
                item.id(),
                item.kind(),
                item.type(),
                item.text(),
                item.context(),
                item.source(),
                item.occurred(),
                item.mentionedAt(),
                item.entities(),
                score,
                arms);
    }
}
