package dev.parley.memory.search;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Postings list of a word, entity or position: sorted rows with counts, packed into an int each. */
final class Postings {
    static final int MAX_TIMES = 255;
    /** Row numbers use the bits that counts leave. */
    static final int MAX_ROWS = 1 << 24;

    private static final int BITS = 8;
    private static final int[] NONE = {};

    private int[] entries = NONE;
    private int size;
    private int current;

    void add(int row, int times) {
        int index = size > 0 && rowAt(size - 1) < row ? size : -find(row) - 1;
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size == 0 ? 1 : size + (size >> 1) + 1);
        }
        System.arraycopy(entries, index, entries, index + 1, size - index);
        entries[index] = row << BITS | Math.min(times, MAX_TIMES);
        size++;
    }

    void remove(int row) {
        int index = find(row);
        System.arraycopy(entries, index + 1, entries, index, size - index - 1);
        size--;
    }

    private int find(int row) {
        int low = 0;
        int high = size - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int middleRow = rowAt(middle);
            if (middleRow == row) {
                return middle;
            }
            if (middleRow < row) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    int size() {
        return size;
    }

    int rowAt(int index) {
        return entries[index] >>> BITS;
    }

    int timesAt(int index) {
        return entries[index] & MAX_TIMES;
    }

    IntStream rows() {
        return IntStream.range(0, size).map(this::rowAt);
    }

    /** Number of rows that are current versions. */
    int current() {
        return current;
    }

    void count(int by) {
        current += by;
    }
}
