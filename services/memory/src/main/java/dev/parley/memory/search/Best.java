package dev.parley.memory.search;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntFunction;

/** The best of what is offered, so many at most; of equal ones those with the smaller ids. */
final class Best {
    private final int most;
    private final Comparator<Found> bestFirst;
    private final PriorityQueue<Found> worstFirst;

    Best(int most, IntFunction<String> id) {
        this.most = most;
        bestFirst = Comparator.comparingDouble(Found::score).reversed().thenComparing(found -> id.apply(found.row()));
        worstFirst = new PriorityQueue<>(Math.clamp(most, 1, 1_024), bestFirst.reversed());
    }

    /** Whether a score is good enough to look closer. */
    boolean wants(double score) {
        return worstFirst.size() < most
                || most > 0 && score >= worstFirst.element().score();
    }

    void offer(int row, double score) {
        if (most == 0) {
            return;
        }
        Found found = new Found(row, score);
        if (worstFirst.size() < most) {
            worstFirst.add(found);
        } else if (score > worstFirst.element().score() || bestFirst.compare(found, worstFirst.element()) < 0) {
            worstFirst.remove();
            worstFirst.add(found);
        }
    }

    List<Found> list() {
        return worstFirst.stream().sorted(bestFirst).toList();
    }
}
