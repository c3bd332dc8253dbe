package dev.parley.channels.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private static String date(Instant time) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
    }

    @Test
    void readsSecondsAndDatesUpToALimit() {
        assertEquals(Duration.ofSeconds(7), RetryAfter.read("7", HOUR));
        assertEquals(HOUR, RetryAfter.read("999999999", HOUR));
        assertEquals(HOUR, RetryAfter.read(date(Instant.now().plus(Duration.ofDays(1))), HOUR));
        assertEquals(Duration.ZERO, RetryAfter.read(date(Instant.now().minusSeconds(60)), HOUR));
        Duration wait = RetryAfter.read(date(Instant.now().plusSeconds(600)), HOUR);
        assertTrue(wait.toSeconds() > 590 && wait.toSeconds() <= 600, wait.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "soon", "1.5", "9999999999"})
    void ignoresInvalidHeaders(String header) {
        assertNull(RetryAfter.read(header, HOUR));
        assertNull(RetryAfter.read(null, HOUR));
    }
}
