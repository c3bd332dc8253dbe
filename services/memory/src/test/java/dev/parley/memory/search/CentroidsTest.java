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
            // Given
            var random = new Random(numbers);
            var centres = new Centroids(SignSketch.longs(numbers));
            List<float[]> vectors = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                vectors.add(vector(random, numbers));
                centres.add(vectors.getLast());
            }
            for (int i = 0; i < vectors.size(); i += 7) {
                vectors.set(i, vector(random, numbers));
                centres.set(i, vectors.get(i));
            }
            float[] query = vector(random, numbers);
            for (int i = 0; i < numbers; i++) { // a cosine of about .7 with one of them
                query[i] += vectors.get(42)[i];
            }

            // When
            float[] full = centres.similarities(query, SignSketch.of(query), vectors.size());
            float[] partial = centres.similarities(query, SignSketch.of(query), 60);

            // Then
            int compared = 0;
            for (int i = 0; i < vectors.size(); i++) {
                assertEquals(IvfIndex.dot(query, vectors.get(i)), full[i]);
                assertTrue(partial[i] == Centroids.FAR || partial[i] == full[i]);
                compared += partial[i] == Centroids.FAR ? 0 : 1;
            }
            assertTrue(compared >= 60 && compared < vectors.size(), numbers + ": " + compared);
            assertTrue(
                    numbers < 64 || indexOfMax(full) == 42 && indexOfMax(partial) == 42,
                    numbers + ": " + indexOfMax(partial));
        }
    }

    private static int indexOfMax(float[] similarities) {
        int max = 0;
        for (int i = 1; i < similarities.length; i++) {
            max = similarities[i] > similarities[max] ? i : max;
        }
        return max;
    }

    private static float[] vector(Random random, int numbers) {
        float[] vector = new float[numbers];
        for (int i = 0; i < numbers; i++) {
            vector[i] = (float) random.nextGaussian() / 4;
        }
        return vector;
    }
}
