package dev.parley.memory.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/** The best k of the offered rows; ties are broken by id. A heap of primitives, as each query offers thousands. */
final class TopK {
    private static final int INITIAL_CAPACITY = 64;

    private final int limit;
    private final IntFunction<String> id;
    /** A heap with the worst row at 0: the children of i are at 2i + 1 and 2i + 2, and none is worse. */
    private int[] rows = {};

    private double[] scores = {};
    private int size;

    TopK(int limit, IntFunction<String> id) {
        this.limit = limit;
        this.id = id;
    }

    /** Whether a score would be accepted. */
    boolean accepts(double score) {
        return size < limit || limit > 0 && score >= scores[0];
    }

    void offer(int row, double score) {
        if (size < limit) {
            if (size == rows.length) {
                int capacity = Math.clamp(2L * size, INITIAL_CAPACITY, Integer.MAX_VALUE);
                rows = Arrays.copyOf(rows, capacity);
                scores = Arrays.copyOf(scores, capacity);
            }
            siftUp(size++, row, score);
        } else if (limit > 0 && compare(row, score, rows[0], scores[0]) < 0) {
            siftDown(row, score);
        }
    }

    /** Negative where the first is better. */
    private int compare(int row, double score, int otherRow, double otherScore) {
        int byScore = Double.compare(otherScore, score);
        return byScore != 0 || row == otherRow ? byScore : id.apply(row).compareTo(id.apply(otherRow));
    }

    private void siftUp(int from, int row, double score) {
        int at = from;
        while (at > 0) {
            int above = (at - 1) >>> 1;
            if (compare(row, score, rows[above], scores[above]) <= 0) {
                break;
            }
            rows[at] = rows[above];
            scores[at] = scores[above];
            at = above;
        }
        rows[at] = row;
        scores[at] = score;
    }

    /** Replaces the worst row. */
    private void siftDown(int row, double score) {
        int at = 0;
        for (int below = 1; below < size; below = 2 * at + 1) {
            int other = below + 1;
            if (other < size && compare(rows[below], scores[below], rows[other], scores[other]) < 0) {
                below = other;
            }
            if (compare(row, score, rows[below], scores[below]) >= 0) {
                break;
            }
            rows[at] = rows[below];
            scores[at] = scores[below];
            at = below;
        }
        rows[at] = row;
        scores[at] = score;
    }

    List<Found> list() {
        var all = new ArrayList<Found>(size);
        for (int i = 0; i < size; i++) {
            all.add(new Found(rows[i], scores[i]));
        }
        all.sort((one, other) -> compare(one.row(), one.score(), other.row(), other.score()));
        return List.copyOf(all);
    }
}
