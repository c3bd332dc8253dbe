package dev.parley.memory.recall;

import dev.parley.domain.memory.LinkType;
import dev.parley.memory.search.LinkEnd;
import dev.parley.memory.search.MessagePosition;
import dev.parley.memory.search.SearchHit;
import dev.parley.memory.search.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Graph retriever: one step from the items of the semantic retriever, or else of the keyword retriever, to the items
 * connected with them.
 */
final class Graph {
    private static final int SEEDS = 20;
    private static final int OF_ENTITY = 200;
    private static final double SHARED_ENTITY = 0.5;
    /** Weight of adjacent messages, as if they were linked. */
    private static final double NEXT = 0.5;

    private final View view;
    private final Map<Integer, Integer> shared = new HashMap<>();
    private final Map<Integer, Double> alike = new HashMap<>();
    private final Map<Integer, Double> caused = new HashMap<>();

    Graph(View view) {
        this.view = view;
    }

    /** Items that share entities with the seeds, are similar, or are cause or effect: each counts up to 1. */
    List<SearchHit> from(List<SearchHit> found, int limit) {
        List<Integer> seeds = found.stream().limit(SEEDS).map(SearchHit::row).toList();
        seeds.stream()
                .flatMap(seed -> view.item(seed).entities().stream())
                .distinct()
                .forEach(entity -> view.withEntity(entity, OF_ENTITY)
                        .forEach(match -> shared.merge(match.row(), 1, Integer::sum)));
        for (int seed : seeds) {
            view.links(seed).forEach(this::follow);
            MessagePosition position = view.item(seed).place();
            if (position != null) {
                IntStream.concat(view.messageAt(position, -1), view.messageAt(position, 1))
                        .forEach(row -> alike.merge(row, NEXT, Math::max));
            }
        }
        var strengths = new HashMap<Integer, Double>();
        shared.forEach((row, entities) -> strengths.put(row, Math.tanh(SHARED_ENTITY * entities)));
        alike.forEach((row, weight) -> strengths.merge(row, weight, Double::sum));
        caused.forEach((row, weight) -> strengths.merge(row, weight, Double::sum));
        seeds.forEach(strengths::remove);
        return view.best(strengths, limit);
    }

    private void follow(LinkEnd link) {
        (link.type() == LinkType.SEMANTIC ? alike : caused).merge(link.row(), link.weight(), Math::max);
    }
}
