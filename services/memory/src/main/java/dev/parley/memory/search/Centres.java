package dev.parley.memory.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The centres of cells. A vector is compared with many at once: their first numbers stand side by side, then their second ones, so
 * that the processor takes several in one step. Sums over the numbers of a single vector it would have to make one by one.
 */
final class Centres {
    private static final int BLOCK = 128;

    /** Those of full blocks: of each number those of all centres of the block. */
    private final List<float[][]> blocks = new ArrayList<>();

    /** The last ones, as they are. */
    private final List<float[]> rest = new ArrayList<>();

    void add(float[] centre) {
        rest.add(centre);
        if (rest.size() == BLOCK) {
            float[][] block = new float[centre.length][BLOCK];
            for (int i = 0; i < BLOCK; i++) {
                put(block, i, rest.get(i));
            }
            blocks.add(block);
            rest.clear();
        }
    }

    void set(int number, float[] centre) {
        if (number / BLOCK < blocks.size()) {
            put(blocks.get(number / BLOCK), number % BLOCK, centre);
        } else {
            rest.set(number % BLOCK, centre);
        }
    }

    private static void put(float[][] block, int at, float[] centre) {
        for (int i = 0; i < centre.length; i++) {
            block[i][at] = centre[i];
        }
    }

    /** The cosine of each with a vector. */
    float[] closeness(float[] vector) {
        float[] all = new float[blocks.size() * BLOCK + rest.size()];
        float[] sums = new float[BLOCK];
        for (int i = 0; i < blocks.size(); i++) {
            sum(blocks.get(i), vector, sums);
            System.arraycopy(sums, 0, all, i * BLOCK, BLOCK);
        }
        for (int i = 0; i < rest.size(); i++) {
            all[blocks.size() * BLOCK + i] = Cells.dot(vector, rest.get(i));
        }
        return all;
    }

    private static void sum(float[][] block, float[] vector, float[] sums) {
        Arrays.fill(sums, 0);
        int i = 0;
        for (; i + 3 < vector.length; i += 4) {
            float[] a = block[i];
            float[] b = block[i + 1];
            float[] c = block[i + 2];
            float[] d = block[i + 3];
            add(a, vector[i], b, vector[i + 1], c, vector[i + 2], d, vector[i + 3], sums);
        }
        for (; i < vector.length; i++) {
            add(block[i], vector[i], block[i], 0, block[i], 0, block[i], 0, sums);
        }
    }

    /** Four numbers of all, so that the sums are fetched once for four. A loop that is this plain the compiler makes parallel. */
    private static void add(
            float[] one,
            float times1,
            float[] two,
            float times2,
            float[] three,
            float times3,
            float[] four,
            float times4,
            float[] sums) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += times1 * one[i] + times2 * two[i] + times3 * three[i] + times4 * four[i];
        }
    }
}
