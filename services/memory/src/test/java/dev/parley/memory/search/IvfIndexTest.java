package dev.parley.memory.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IvfIndexTest {
    private static final int DIMENSIONS = 128;
    private static final int MANY = 12_000;

    @TempDir
    private Path folder;

    private static float[] vector(Random random, float[] centre, double noise) {
        float[] vector = centre.clone();
        for (int i = 0; i < vector.length; i++) {
            vector[i] += (float) (noise * random.nextGaussian());
        }
        return new Embedding("any", vector).vector();
    }

    private static List<Integer> rows(TopK best) {
        return best.list().stream().map(SearchHit::row).toList();
    }

    private static TopK best(int limit) {
        return new TopK(limit, row -> "%06d".formatted(row));
    }

    @Test
    void nearestCellsContainNearlyAllCloseVectors() throws IOException {
        // Given
        var random = new Random(11);
        try (var vectors = new Vectors(folder, DIMENSIONS)) {
            var cells = new IvfIndex(vectors);
            float[][] centres = new float[300][];
            for (int i = 0; i < centres.length; i++) {
                centres[i] = vector(random, new float[DIMENSIONS], 1);
            }
            for (int row = 0; row < MANY; row++) {
                cells.add(row, vector(random, centres[random.nextInt(centres.length)], 0.05), 0, true);
            }

            // Then
            assertTrue(share(cells, centres, MANY) >= 0.99);
            assertTrue(share(cells, centres, MANY / 2) >= 0.95);
        }
    }

    /** The recall of the exact best if only this many sign sketches are compared. */
    private static double share(IvfIndex cells, float[][] centres, int compared) {
        var random = new Random(17);
        int found = 0;
        for (int i = 0; i < 100; i++) {
            float[] query = vector(random, centres[random.nextInt(centres.length)], 0.05);
            TopK exact = best(20);
            cells.searchAll(query, false, row -> true, -1, exact);
            TopK close = best(20);
            cells.searchClosest(query, IvfIndex.ANY, compared, 400, row -> true, -1, close);
            var common = new HashSet<>(rows(close));
            common.retainAll(rows(exact));
            found += common.size();
        }
        return found / 2_000.0;
    }

    @Test
    void doesNotFindRemovedVectorsAndReusesTheirRows() throws IOException {
        var random = new Random(12);
        try (var vectors = new Vectors(folder, DIMENSIONS)) {
            var cells = new IvfIndex(vectors);
            for (int row = 0; row < 3_000; row++) {
                cells.add(row, vector(random, new float[DIMENSIONS], 1), row % 3, true);
            }
            for (int row = 0; row < 3_000; row += 2) {
                cells.remove(row);
            }
            cells.retire(1);
            TopK now = best(3_000);
            cells.searchAll(vector(random, new float[DIMENSIONS], 1), false, row -> true, -1, now);
            assertEquals(1_499, rows(now).size());
            assertTrue(rows(now).stream().allMatch(row -> row % 2 == 1 && row != 1));
            TopK withRetired = best(3_000);
            cells.searchAll(vector(random, new float[DIMENSIONS], 1), true, row -> true, -1, withRetired);
            assertEquals(1_500, rows(withRetired).size());
            TopK close = best(3_000);
            cells.searchClosest(
                    vector(random, new float[DIMENSIONS], 1), IvfIndex.ANY, 3_000, 3_000, row -> true, -1, close);
            assertEquals(new HashSet<>(rows(now)), new HashSet<>(rows(close)));
            assertFalse(cells.has(0));
            assertEquals(2_998, vectors.add(vector(random, new float[DIMENSIONS], 1)));
        }
    }

    @Test
    void indexesManyEqualVectors() throws IOException {
        try (var vectors = new Vectors(folder, DIMENSIONS)) {
            var cells = new IvfIndex(vectors);
            float[] vector = vector(new Random(13), new float[DIMENSIONS], 1);
            for (int row = 0; row < 9_000; row++) {
                cells.add(row, vector, 0, true);
            }
            TopK best = best(5);
            cells.searchClosest(vector, IvfIndex.ANY, 9_000, 9_000, row -> true, 0.99, best);
            assertEquals(List.of(0, 1, 2, 3, 4), rows(best));
        }
    }

    @Test
    void findsAllVectorsOfARareSort() throws IOException {
        // Given
        var random = new Random(14);
        try (var vectors = new Vectors(folder, DIMENSIONS)) {
            var cells = new IvfIndex(vectors);
            for (int row = 0; row < MANY; row++) {
                cells.add(row, vector(random, new float[DIMENSIONS], 1), row % 1_000 == 0 ? 1 : 0, true);
            }

            // When
            TopK best = best(MANY);
            cells.searchClosest(vector(random, new float[DIMENSIONS], 1), 1, 100, 100, row -> true, -1, best);

            // Then
            assertEquals(MANY / 1_000, rows(best).size());
            assertTrue(rows(best).stream().allMatch(row -> row % 1_000 == 0));
        }
    }
}
