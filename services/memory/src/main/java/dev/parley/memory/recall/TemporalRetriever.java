package dev.parley.memory.recall;

import dev.parley.language.time.TimeSpan;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.SearchHit;
import dev.parley.memory.search.View;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Temporal retriever: items of the time that a query names. */
final class TemporalRetriever {
    private final View view;
    private final TimeSpan window;

    TemporalRetriever(View view, TimeSpan window) {
        this.view = view;
        this.window = window;
    }

    /** Items of that time, ordered by similarity, then by time; items without a vector come last. */
    List<SearchHit> closest(IntToDoubleFunction similarity, int limit) {
        record Timed(SearchHit found, double proximity, String id) {}
        return view.during(window)
                .mapToObj(row -> {
                    double cosine = similarity.applyAsDouble(row);
                    Item item = view.item(row);
                    return new Timed(
                            new SearchHit(row, Double.isNaN(cosine) ? 0 : cosine), proximity(item, window), item.id());
                })
                .sorted(Comparator.comparingDouble(
                                (Timed timed) -> timed.found().score())
                        .thenComparingDouble(Timed::proximity)
                        .reversed()
                        .thenComparing(Timed::id))
                .limit(limit)
                .map(Timed::found)
                .toList();
    }

    /** 1 in the middle of the window, 0 at its ends and outside; 0.5 where the time is unknown. */
    static double proximity(Item item, TimeSpan window) {
        Instant middle = middle(item);
        if (middle == null) {
            return 0.5;
        }
        double halfWidth = Math.max(Duration.between(window.from(), window.to()).toMillis() / 2.0, 1);
        double away = Math.abs(Duration.between(middle(window), middle).toMillis());
        return 1 - Math.min(away / halfWidth, 1);
    }

    private static @Nullable Instant middle(Item item) {
        TimeSpan occurred = item.occurred();
        return occurred == null ? item.mentionedAt() : middle(occurred);
    }

    private static Instant middle(TimeSpan span) {
        return span.from().plus(Duration.between(span.from(), span.to()).dividedBy(2));
    }
}
