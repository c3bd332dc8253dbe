package dev.parley.memory.recall;

import dev.parley.domain.memory.LinkType;
import dev.parley.memory.search.Found;
import dev.parley.memory.search.Item;
import dev.parley.memory.search.Link;
import dev.parley.memory.search.Place;
import dev.parley.memory.search.View;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** One step from what was found by meaning to what is connected with it. */
final class Graph {
    private static final int SEEDS = 20;
    private static final int OF_ENTITY = 200;
    private static final double SHARED_ENTITY = 0.5;
    /** What was said next to a seed, as if it were a link of this weight. */
    private static final double NEXT = 0.5;

    private final View view;
    private final Map<Integer, Set<String>> shared = new HashMap<>();
    private final Map<Integer, Double> alike = new HashMap<>();
    private final Map<Integer, Double> caused = new HashMap<>();

    Graph(View view) {
        this.view = view;
    }

    /** What shares entities, is alike, or is cause or effect: each counts up to 1. */
    List<Found> from(List<Found> found, int most) {
        List<Integer> seeds = found.stream().limit(SEEDS).map(Found::row).toList();
        for (int seed : seeds) {
            Item item = view.item(seed);
            item.entities().forEach(this::share);
            view.links(seed).forEach(this::follow);
            Place place = item.place();
            if (place != null) {
                IntStream.concat(view.said(place, -1), view.said(place, 1))
                        .forEach(row -> alike.merge(row, NEXT, Math::max));
            }
        }
        var connected = new HashSet<Integer>(shared.keySet());
        connected.addAll(alike.keySet());
        connected.addAll(caused.keySet());
        seeds.forEach(connected::remove);
        return connected.stream()
                .map(row -> new Found(row, strength(row)))
                .sorted(Comparator.comparingDouble(Found::score)
                        .reversed()
                        .thenComparing(one -> view.item(one.row()).id()))
                .limit(most)
                .toList();
    }

    private double strength(int row) {
        return Math.tanh(SHARED_ENTITY * shared.getOrDefault(row, Set.of()).size())
                + alike.getOrDefault(row, 0.0)
                + caused.getOrDefault(row, 0.0);
    }

    private void share(String entity) {
        view.withEntity(entity, OF_ENTITY)
                .forEach(one -> shared.computeIfAbsent(one.row(), any -> new HashSet<>())
                        .add(entity));
    }

    private void follow(Link link) {
        (link.type() == LinkType.SEMANTIC ? alike : caused).merge(link.row(), link.weight(), Math::max);
    }
}
