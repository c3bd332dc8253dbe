package dev.parley.platform.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TimersTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final RecordKey ANN = RecordKey.of("test:ann");
    private static final RecordKey BOB = RecordKey.of("test:bob");

    private final Timers timers = new Timers();

    @Test
    void aTimerGoesOffOnceAndInOrder() {
        timers.arm(BOB, NOW.plusSeconds(2));
        timers.arm(ANN, NOW.plusSeconds(1));

        assertEquals(List.of(), timers.takeDue(NOW, 10));
        assertEquals(List.of(ANN), timers.takeDue(NOW.plusSeconds(1), 10));
        assertEquals(List.of(BOB), timers.takeDue(NOW.plusSeconds(9), 10));
        assertEquals(List.of(), timers.takeDue(NOW.plusSeconds(9), 10));
    }

    @Test
    void timerMovesToEarlierTimesOnly() {
        timers.arm(ANN, NOW.plusSeconds(5));
        timers.arm(ANN, NOW.plusSeconds(1));
        timers.arm(ANN, NOW.plusSeconds(9));

        assertEquals(List.of(ANN), timers.takeDue(NOW.plusSeconds(1), 10));
        assertEquals(List.of(), timers.takeDue(NOW.plusSeconds(99), 10));
    }

    @Test
    void timersBeyondTheLimitFireNextTime() {
        timers.arm(ANN, NOW);
        timers.arm(BOB, NOW);

        var first = timers.takeDue(NOW, 1);
        var second = timers.takeDue(NOW, 1);
        assertEquals(Set.of(ANN, BOB), Set.of(first.getFirst(), second.getFirst()));
    }
}
