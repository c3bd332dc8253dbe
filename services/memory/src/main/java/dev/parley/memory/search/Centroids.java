package dev.parley.memory.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The centroids of cells, with sign sketches: where few of many are wanted, only those with similar signs are compared.
 */
final class Centroids {
    /** Similarity of a centroid that was not compared. */
    static final float FAR = Float.NEGATIVE_INFINITY;

    private final List<float[]> all = new ArrayList<>();
    private final int longs;
    private long[] signs = {};

    /** @param longs size of a sign sketch */
    Centroids(int longs) {
        this.longs = longs;
    }

    void add(float[] centre) {
        int at = all.size() * longs;
        if (at == signs.length) {
            signs = Arrays.copyOf(signs, 2 * at + 8 * longs);
        }
        all.add(centre);
        SignSketch.of(centre, signs, at);
    }

    void set(int number, float[] centre) {
        all.set(number, centre);
        SignSketch.of(centre, signs, number * longs);
    }

    /**
     * Cosine similarity of each centroid to a vector, or {@link #FAR}.
     *
     * @param its sign sketch of the vector
     * @param wanted at least this many of the closest ones are compared, with high probability
     */
    float[] closeness(float[] vector, long[] its, int wanted) {
        var differences = new short[all.size()];
        var having = new int[longs * Long.SIZE + 1];
        boolean some = wanted < all.size();
        for (int i = 0; some && i < differences.length; i++) {
            differences[i] = (short) SignSketch.different(its, signs, i * longs);
            having[differences[i]]++;
        }
        int limit = some ? SignSketch.limit(having, wanted) : 0;
        var closeness = new float[differences.length];
        for (int i = 0; i < closeness.length; i++) {
            closeness[i] = differences[i] <= limit ? IvfIndex.dot(vector, all.get(i)) : FAR;
        }
        return closeness;
    }
}
