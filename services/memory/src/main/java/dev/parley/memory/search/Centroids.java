package dev.parley.memory.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The centroids of cells, with sign sketches: to find a few of many, only those with similar signs are compared.
 */
final class Centroids {
    /** Similarity of a centroid that was not compared. */
    static final float FAR = Float.NEGATIVE_INFINITY;

    private final List<float[]> centroids = new ArrayList<>();
    private final int longs;
    private long[] signs = {};

    /** @param longs size of a sign sketch */
    Centroids(int longs) {
        this.longs = longs;
    }

    void add(float[] centre) {
        int offset = centroids.size() * longs;
        if (offset == signs.length) {
            signs = Arrays.copyOf(signs, 2 * offset + 8 * longs);
        }
        centroids.add(centre);
        SignSketch.of(centre, signs, offset);
    }

    void set(int number, float[] centre) {
        centroids.set(number, centre);
        SignSketch.of(centre, signs, number * longs);
    }

    /**
     * Cosine similarity of each centroid to a vector, or {@link #FAR}.
     *
     * @param sketch sign sketch of the vector
     * @param atLeast at least this many of the closest ones are compared, with high probability
     */
    float[] similarities(float[] vector, long[] sketch, int atLeast) {
        var differences = new short[centroids.size()];
        var having = new int[longs * Long.SIZE + 1];
        boolean preselects = atLeast < centroids.size();
        for (int i = 0; preselects && i < differences.length; i++) {
            differences[i] = (short) SignSketch.different(sketch, signs, i * longs);
            having[differences[i]]++;
        }
        int limit = preselects ? SignSketch.limit(having, atLeast) : 0;
        var similarities = new float[differences.length];
        for (int i = 0; i < similarities.length; i++) {
            similarities[i] = differences[i] <= limit ? IvfIndex.dot(vector, centroids.get(i)) : FAR;
        }
        return similarities;
    }
}
