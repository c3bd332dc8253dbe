package dev.parley.workflows.json;

import java.util.Collection;

/**
 * Size of a value.
 *
 * @param weight number of values and characters, repeated values counted each time
 * @param depth nesting of arrays and objects
 */
record Extent(long weight, int depth) {
    private static final long MAX = Long.MAX_VALUE / 4;

    static Extent of(Collection<Json> values) {
        long weight = 1;
        int depth = 0;
        for (Json value : values) {
            weight = Math.min(MAX, weight + value.weight());
            depth = Math.max(depth, value.depth());
        }
        return new Extent(weight, depth + 1);
    }

    Extent plus(Collection<String> names) {
        long length = weight;
        for (String name : names) {
            length += name.length();
        }
        return new Extent(Math.min(MAX, length), depth);
    }
}
