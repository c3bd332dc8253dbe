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
        int i = from;
        while (i > 0) {
            int parent = (i - 1) >>> 1;
            if (compare(row, score, rows[parent], scores[parent]) <= 0) {
                break;
            }
            rows[i] = rows[parent];
            scores[i] = scores[parent];
            i = parent;
        }
        rows[i] = row;
        scores[i] = score;
    }

    /** Replaces the worst row. */
    private void siftDown(int row, double score) {
        int i = 0;
        for (int child = 1; child < size; child = 2 * i + 1) {
            int sibling = child + 1;
            if (sibling < size && compare(rows[child], scores[child], rows[sibling], scores[sibling]) < 0) {
                child = sibling;
            }
            if (compare(row, score, rows[child], scores[child]) >= 0) {
                break;
            }
            rows[i] = rows[child];
            scores[i] = scores[child];
            i = child;
        }
        rows[i] = row;
        scores[i] = score;
    }

    List<SearchHit> list() {
        var sorted = new ArrayList<SearchHit>(size);
        for (int i = 0; i < size; i++) {
            sorted.add(new SearchHit(rows[i], scores[i]));
        }
        sorted.sort((left, right) -> compare(left.row(), left.score(), right.row(), right.score()));
        return List.copyOf(sorted);
    }
}
