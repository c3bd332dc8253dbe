package dev.parley.platform.worker;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FairSlotsTest {
    private final FairSlots places = new FairSlots(1_000, 1_000_000);

    @Test
    @Tag("I113")
    void singleProjectGetsFourFifthsAndLeavesRoom() {
        int alone = takeAll("busy/a", 1);

        assertEquals(800, alone);
        assertTrue(places.take("own/a", 1));
    }

    @Test
    void twoProjectsShareEquallyAndLeaveRoom() {
        int busy = 0;
        int other = 0;
        for (int i = 0; i < 1_000; i++) {
            busy += places.take("busy/" + i, 1) ? 1 : 0;
            other += places.take("other/" + i, 1) ? 1 : 0;
        }

        assertEquals(busy, other, 1);
        assertTrue(busy > 400, "each has " + busy);
        assertTrue(places.take("third/a", 1));
    }

    @Test
    void limitsBytesLikeCalls() {
        assertEquals(8, takeAll("busy/a", 100_000));
        assertTrue(places.take("own/a", 1_000));
    }

    @Test
    void acceptsOneCallOfAnySize() {
        assertTrue(places.take("own/a", 2_000_000));
        assertFalse(places.take("other/a", 1));
    }

    @Test
    void reservesNothingOfFewSlots() {
        var slots = new FairSlots(4, 100);

        assertEquals(4, IntStream.range(0, 10).filter(_ -> slots.take("a/x", 1)).count());
    }

    @Test
    void freedSlotsAreAvailableAgain() {
        var random = new Random(1);
        int[] taken = new int[5];
        for (int i = 0; i < 20_000; i++) {
            int project = random.nextInt(taken.length);
            if (taken[project] > 0 && random.nextInt(3) == 0) {
                places.free(project + "/x", 7);
                taken[project]--;
            } else if (places.take(project + "/y", 7)) {
                taken[project]++;
            }
            int total = IntStream.of(taken).sum();
            assertAll(() -> assertEquals(total, places.calls()), () -> assertEquals(7L * total, places.bytes()));
        }
        for (int project = 0; project < taken.length; project++) {
            for (; taken[project] > 0; taken[project]--) {
                places.free(project + "/x", 7);
            }
        }
        assertEquals(800, takeAll("busy/a", 1));
    }

    private int takeAll(String key, int bytes) {
        int taken = 0;
        while (places.take(key, bytes)) {
            taken++;
        }
        return taken;
    }
}
