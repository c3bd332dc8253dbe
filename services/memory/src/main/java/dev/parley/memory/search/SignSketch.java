package dev.parley.memory.search;

import java.util.Arrays;

/** Sign bits of vectors: the fewer bits differ, the more similar the vectors, with high probability. */
final class SignSketch {
    private SignSketch() {}

    /** Number of longs for this many dimensions. */
    static int longs(int numbers) {
        return (numbers + Long.SIZE - 1) / Long.SIZE;
    }

    static long[] of(float[] vector) {
        long[] signs = new long[longs(vector.length)];
        of(vector, signs, 0);
        return signs;
    }

    static void of(float[] vector, long[] into, int offset) {
        Arrays.fill(into, offset, offset + longs(vector.length), 0);
        for (int i = 0; i < vector.length; i++) {
            if (vector[i] > 0) {
                into[offset + i / Long.SIZE] |= 1L << i;
            }
        }
    }

    /**
     * Number of differing signs.
     *
     * @param offset of the other sketch
     */
    static int different(long[] sketch, long[] sketches, int offset) {
        int sum = 0;
        int i = 0;
        for (int end = sketch.length - 2; i < end; i += 3) { // unrolled: the overhead of a loop would exceed its work
            sum += Long.bitCount(sketch[i] ^ sketches[offset + i])
                    + Long.bitCount(sketch[i + 1] ^ sketches[offset + i + 1])
                    + Long.bitCount(sketch[i + 2] ^ sketches[offset + i + 2]);
        }
        for (; i < sketch.length; i++) {
            sum += Long.bitCount(sketch[i] ^ sketches[offset + i]);
        }
        return sum;
    }

    /**
     * The largest difference at which at least {@code kept} vectors remain.
     *
     * @param having number of vectors by difference
     */
    static int limit(int[] having, int kept) {
        int sum = 0;
        for (int different = 0; different < having.length; different++) {
            sum += having[different];
            if (sum >= kept) {
                return different;
            }
        }
        return having.length;
    }
}
