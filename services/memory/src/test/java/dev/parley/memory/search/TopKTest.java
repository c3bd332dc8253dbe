package dev.parley.memory.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopKTest {
    /** Few different scores, so that many are equal; ids in another order than rows. */
    @Test
    void keepsTheBestAndPrefersSmallerIdsAmongEqualScores() {
        var random = new Random(7);
        for (int round = 0; round < 200; round++) {
            int offered = random.nextInt(300);
            int limit = random.nextInt(150);
            var best = new TopK(limit, TopKTest::id);
            var candidates = new ArrayList<SearchHit>();
            for (int row = 0; row < offered; row++) {
                double score = random.nextInt(20) / 10.0;
                candidates.add(new SearchHit(row, score));
                if (best.accepts(score)) {
                    best.offer(row, score);
                }
            }
            candidates.sort(
                    Comparator.comparingDouble(SearchHit::score).reversed().thenComparing(found -> id(found.row())));
            assertEquals(candidates.subList(0, Math.min(limit, offered)), best.list());
        }
    }

    private static String id(int row) {
        return Integer.toHexString(row * 0x9E3779B9);
    }

    @Test
    void rejectsScoresBelowTheWorstWhenFull() {
        var best = new TopK(1, TopKTest::id);
        best.offer(1, 0.5);
        assertFalse(best.accepts(0.4));
        assertTrue(best.accepts(0.5));
        assertEquals(List.of(), new TopK(0, TopKTest::id).list());
    }
}
