package dev.parley.memory.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CentroidsTest {
    @Test
    void comparesAllCentroidsOrOnlyTheClosest() {
        for (int numbers : new int[] {3, 64, 384}) {
            var random = new Random(numbers);
            var centres = new Centroids(SignSketch.longs(numbers));
            List<float[]> all = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                all.add(vector(random, numbers));
                centres.add(all.getLast());
            }
            for (int i = 0; i < all.size(); i += 7) {
                all.set(i, vector(random, numbers));
                centres.set(i, all.get(i));
            }
            float[] asked = vector(random, numbers);
            for (int i = 0; i < numbers; i++) { // a cosine of about .7 with one of them
                asked[i] += all.get(42)[i];
            }

            float[] every = centres.closeness(asked, SignSketch.of(asked), all.size());
            float[] some = centres.closeness(asked, SignSketch.of(asked), 60);

            int compared = 0;
            for (int i = 0; i < all.size(); i++) {
                assertEquals(IvfIndex.dot(asked, all.get(i)), every[i]);
                assertTrue(some[i] == Centroids.FAR || some[i] == every[i]);
                compared += some[i] == Centroids.FAR ? 0 : 1;
            }
            assertTrue(compared >= 60 && compared < all.size(), numbers + ": " + compared);
            assertTrue(numbers < 64 || first(every) == 42 && first(some) == 42, numbers + ": " + first(some));
        }
    }

    private static int first(float[] closeness) {
        int first = 0;
        for (int i = 1; i < closeness.length; i++) {
            first = closeness[i] > closeness[first] ? i : first;
        }
        return first;
    }

    private static float[] vector(Random random, int numbers) {
        float[] vector = new float[numbers];
        for (int i = 0; i < numbers; i++) {
            vector[i] = (float) random.nextGaussian() / 4;
        }
        return vector;
    }
}
