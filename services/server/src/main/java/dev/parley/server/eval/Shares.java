package dev.parley.server.eval;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** For each category the shares of the evidence that were among the first so many turns. */
final class Shares {
    private final List<Integer> cuts;
    private final Map<String, List<double[]>> byCategory = new TreeMap<>();

    Shares(List<Integer> cuts) {
        this.cuts = List.copyOf(cuts);
    }

    /** @param found turns, the best first, perhaps repeated */
    void add(Conversation.Query query, List<String> found) {
        List<String> distinct = List.copyOf(new LinkedHashSet<>(found));
        double[] shares = cuts.stream()
                .mapToDouble(cut -> share(query.gold(), distinct.subList(0, Math.min(cut, distinct.size()))))
                .toArray();
        byCategory.computeIfAbsent(query.category(), any -> new ArrayList<>()).add(shares);
    }

    private static double share(Set<String> gold, List<String> found) {
        return (double) found.stream().filter(gold::contains).count() / gold.size();
    }

    Set<String> categories() {
        return byCategory.keySet();
    }

    /** The means of a category. */
    List<Double> of(String category) {
        return means(byCategory.getOrDefault(category, List.of()));
    }

    /** The means over all queries. */
    List<Double> all() {
        return means(byCategory.values().stream().flatMap(List::stream).toList());
    }

    private List<Double> means(List<double[]> queries) {
        var means = new ArrayList<Double>();
        for (int i = 0; i < cuts.size(); i++) {
            int cut = i;
            means.add(queries.stream()
                    .mapToDouble(shares -> shares[cut])
                    .average()
                    .orElse(Double.NaN));
        }
        return means;
    }

    static String line(String name, List<Double> means) {
        return "%-40s %s".formatted(name, means.stream().map("%6.3f"::formatted).collect(Collectors.joining(" ")));
    }
}
