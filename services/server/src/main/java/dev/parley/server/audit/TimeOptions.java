package dev.parley.server.audit;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses times and durations of the command line. */
public final class TimeOptions {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

    private TimeOptions() {}

    /**
     * A time such as {@code 2026-11-26T12:00:00Z}, or how long ago, such as {@code 24h}.
     *
     * @throws IllegalArgumentException for others
     */
    public static Instant instant(String text, Instant now) {
        if (DURATION.matcher(text).matches()) {
            return now.minus(duration(text));
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither a time, such as 2026-11-26T12:00:00Z, nor how long ago, such as 24h", e);
        }
    }

    /**
     * A duration such as {@code 5m}: a number with ms, s, m, h or d.
     *
     * @throws IllegalArgumentException for others
     */
    public static Duration duration(@Nullable String text) {
        var match = DURATION.matcher(text == null ? "" : text);
        if (!match.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a duration, such as 90s, 5m, 24h or 7d");
        }
        long number = Long.parseLong(match.group(1));
        return switch (match.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
