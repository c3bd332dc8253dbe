package dev.parley.platform.projection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lag of a projection whose topic is observed from outside. */
class EventLagTest {
    private final EventLag lag = new EventLag();

    private static long second(long number) {
        return TimeUnit.SECONDS.toNanos(number);
    }

    @Test
    @Tag("B123")
    void growsWhileTheDatabaseIsDeadAndEndsWhenItsEventsAreProjected() {
        // Given
        lag.assigned(0);
        lag.projected(Map.of(0, 10L));
        lag.ends(Map.of(0, 10L), second(0));
        assertEquals(0, lag.records());
        assertEquals(0, lag.seconds(second(5)));

        // When
        lag.ends(Map.of(0, 12L), second(10));
        lag.ends(Map.of(0, 20L), second(11));
        lag.ends(Map.of(0, 20L), second(100));

        // Then
        assertEquals(10, lag.records());
        assertEquals(90, lag.seconds(second(100)));

        // And when
        lag.projected(Map.of(0, 15L));

        // Then
        assertEquals(5, lag.records());
        assertEquals(89, lag.seconds(second(100)));

        // And when
        lag.projected(Map.of(0, 20L));

        // Then
        assertEquals(0, lag.records());
        assertEquals(0, lag.seconds(second(101)));
    }

    @Test
    @Tag("B123")
    void isThatOfAPartitionWhosePositionIsNotKnownFromItsFirstEndOn() {
        // Given
        lag.assigned(0);
        lag.ends(Map.of(0, 1_000L), second(0));

        // When
        lag.ends(Map.of(0, 1_007L), second(60));

        // Then
        assertEquals(7, lag.records());
        assertEquals(30, lag.seconds(second(90)));
    }

    @Test
    @Tag("B123")
    void staysRightAfterHours() {
        // Given
        lag.assigned(0);
        lag.projected(Map.of(0, 0L));

        // When
        for (int second = 1; second <= 10_000; second++) {
            lag.ends(Map.of(0, (long) second), second(second));
        }

        // Then
        assertEquals(10_000, lag.records());
        assertEquals(9_999, lag.seconds(second(10_000)));
        lag.projected(Map.of(0, 10_000L));
        assertEquals(0, lag.seconds(second(10_001)));
    }

    @Test
    @Tag("B123")
    void ofOtherInstancesIsNotCounted() {
        // Given
        lag.assigned(0);
        lag.projected(Map.of(0, 0L, 1, 0L));
        lag.ends(Map.of(0, 5L, 1, 5L), second(0));

        // When
        lag.revoked(0);

        // Then
        assertEquals(0, lag.records());
        assertEquals(0, lag.seconds(second(9)));
    }
}
