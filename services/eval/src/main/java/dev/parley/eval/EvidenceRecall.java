package dev.parley.eval;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The share of the evidence among the top k turns, for each k. */
final class EvidenceRecall {
    private final List<Integer> cuts;
    private final List<Answered> answered = new ArrayList<>();

    private record Answered(EvalConversation.Query query, double[] shares) {}

    EvidenceRecall(List<Integer> cuts) {
        this.cuts = List.copyOf(cuts);
    }

    /** @param found turns, the best first, perhaps repeated */
    void add(EvalConversation.Query query, List<String> found) {
        List<String> distinct = List.copyOf(new LinkedHashSet<>(found));
        double[] shares = cuts.stream()
                .mapToDouble(cut -> share(query.gold(), distinct.subList(0, Math.min(cut, distinct.size()))))
                .toArray();
        answered.add(new Answered(query, shares));
    }

    private static double share(Set<String> gold, List<String> found) {
        return (double) found.stream().filter(gold::contains).count() / gold.size();
    }

    Set<String> categories() {
        return answered.stream()
                .map(result -> result.query().category())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The means over the selected queries. */
    List<Double> of(Predicate<EvalConversation.Query> selected) {
        var means = new ArrayList<Double>();
        for (int i = 0; i < cuts.size(); i++) {
            int cut = i;
            means.add(answered.stream()
                    .filter(result -> selected.test(result.query()))
                    .mapToDouble(result -> result.shares()[cut])
                    .average()
                    .orElse(Double.NaN));
        }
        return means;
    }

    static String line(String name, List<Double> means) {
        return "%-40s %s".formatted(name, means.stream().map("%6.3f"::formatted).collect(Collectors.joining(" ")));
    }
}
