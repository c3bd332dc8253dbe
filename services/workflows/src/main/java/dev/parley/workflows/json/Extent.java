package dev.parley.workflows.json;

import java.util.Collection;

/**
 * How much a value is.
 *
 * @param weight values and characters, where all that stands in it is counted as often as it stands there
 * @param depth how deep arrays and objects stand in each other
 */
record Extent(long weight, int depth) {
    private static final long MOST = Long.MAX_VALUE / 4;

    static Extent of(Collection<Json> values) {
        long weight = 1;
        int depth = 0;
        for (Json value : values) {
            weight = Math.min(MOST, weight + value.weight());
            depth = Math.max(depth, value.depth());
        }
        return new Extent(weight, depth + 1);
    }

    Extent plus(Collection<String> names) {
        long length = weight;
        for (String name : names) {
            length += name.length();
        }
        return new Extent(Math.min(MOST, length), depth);
    }
}
