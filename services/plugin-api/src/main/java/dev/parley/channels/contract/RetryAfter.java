package dev.parley.channels.contract;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** The HTTP header {@code Retry-After}, as other servers send it. */
public final class RetryAfter {
    private RetryAfter() {}

    /**
     * The wait that a header asks for, in seconds or as an HTTP date.
     *
     * @param longest upper bound of the result
     * @return null where the header is missing or malformed; zero for a date in the past
     */
    public static @Nullable Duration read(@Nullable String header, Duration longest) {
        if (header == null) {
            return null;
        }
        Duration wait;
        try {
            wait = header.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(header))
                    : Duration.between(
                            Instant.now(),
                            ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant());
        } catch (DateTimeException e) {
            return null;
        }
        return wait.isNegative() ? Duration.ZERO : wait.compareTo(longest) > 0 ? longest : wait;
    }
}
