package dev.parley.platform.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadlineTest {
    private static final Duration TOLERANCE = Duration.ofSeconds(30);

    @Test
    @Tag("B160")
    void hasTheTimeThatTheClockLeftWhenItWasTaken() {
        // When
        Deadline deadline = Deadline.at(Instant.now().plus(Duration.ofHours(1)));

        // Then
        assertNear(Duration.ofHours(1), deadline.left());
        assertNear(Duration.ofHours(1), Duration.between(Instant.now(), deadline.instant()));
        assertFalse(deadline.passed());
    }

    @Test
    void waitsAMillisecondAfterItHasPassed() {
        // Given
        Deadline deadline = Deadline.at(Instant.now().minusSeconds(5));

        // Then
        assertTrue(deadline.passed());
        assertTrue(deadline.nanosLeft() < 0);
        assertEquals(Duration.ofMillis(1), deadline.left());
        assertEquals(Duration.ofMillis(1), deadline.left(Duration.ofMinutes(1)));
    }

    @Test
    void theEarlierOfTwoCounts() {
        // Given
        Deadline deadline = Deadline.in(Duration.ofHours(1));

        // Then
        assertNear(Duration.ofMinutes(3), deadline.within(Duration.ofMinutes(3)).left());
        assertNear(Duration.ofHours(1), deadline.within(Duration.ofHours(3)).left());
        assertEquals(Duration.ofMinutes(3), deadline.left(Duration.ofMinutes(3)));
        assertNear(
                Duration.ofMinutes(3),
                Deadline.NEVER.within(Duration.ofMinutes(3)).left());
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1000000000-12-31T23:59:59.999999999Z", "2526-01-01T00:00:00Z"})
    void aTimeAfterCenturiesIsNotReached(String time) {
        // When
        Deadline deadline = Deadline.at(Instant.parse(time));

        // Then
        assertFalse(deadline.passed());
        assertTrue(deadline.left().toDays() > 36_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1000000000-01-01T00:00:00Z", "1526-01-01T00:00:00Z", "1970-01-01T00:00:00Z"})
    void aTimeBeforeCenturiesHasPassed(String time) {
        assertTrue(Deadline.at(Instant.parse(time)).passed());
    }

    private static void assertNear(Duration expected, Duration actual) {
        assertTrue(
                expected.minus(actual).abs().compareTo(TOLERANCE) < 0, () -> "%s, not %s".formatted(actual, expected));
    }
}
