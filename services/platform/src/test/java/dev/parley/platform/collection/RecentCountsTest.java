package dev.parley.platform.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecentCountsTest {
    private long now;
    private final RecentCounts counts = new RecentCounts(Duration.ofSeconds(60), 2, () -> now);

    private void seconds(long seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void countsEachKeyWithinAWindowFromItsFirstEvent() {
        assertEquals(0, counts.of("ann"));
        assertEquals(1, counts.add("ann"));
        seconds(40);
        assertEquals(2, counts.add("ann"));
        assertEquals(1, counts.add("bob"));
        seconds(20);
        assertEquals(2, counts.of("ann"));

        seconds(1);

        assertEquals(0, counts.of("ann"));
        assertEquals(1, counts.of("bob"));
        assertEquals(1, counts.add("ann"));
    }

    @Test
    void forgetResetsTheCount() {
        counts.add("ann");
        counts.reset("ann");

        assertEquals(0, counts.of("ann"));
    }

    @Test
    void evictsTheOldestKeyAtCapacity() {
        counts.add("ann");
        counts.add("bob");
        counts.add("eve");

        assertEquals(0, counts.of("ann"));
        assertEquals(1, counts.of("bob"));
    }
}
