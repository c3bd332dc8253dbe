package dev.parley.memory.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CentresTest {
    @Test
    void manyAreComparedAsOneByOne() {
        for (int numbers : new int[] {3, 8, 384}) {
            var random = new Random(numbers);
            var centres = new Centres();
            List<float[]> all = new ArrayList<>();
            for (int i = 0; i < 300; i++) { // two blocks, and some
                all.add(vector(random, numbers));
                centres.add(all.getLast());
            }
            for (int i = 0; i < all.size(); i += 7) {
                all.set(i, vector(random, numbers));
                centres.set(i, all.get(i));
            }
            float[] asked = vector(random, numbers);

            float[] closeness = centres.closeness(asked);

            assertEquals(all.size(), closeness.length);
            for (int i = 0; i < closeness.length; i++) {
                assertEquals(Cells.dot(asked, all.get(i)), closeness[i], 1e-4);
            }
        }
    }

    private static float[] vector(Random random, int numbers) {
        float[] vector = new float[numbers];
        for (int i = 0; i < numbers; i++) {
            vector[i] = (float) random.nextGaussian() / 4;
        }
        return vector;
    }
}
