package dev.parley.domain.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A marked point of the context. */
public record Mark(
        long from,
        long next,
        long bytes,
        long base,
        @Nullable String summary,
        long summaryUpTo,
        List<TurnStart> turns) {
    public Mark {
        turns = List.copyOf(turns);
    }
}
