package dev.parley.server.audit;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is to be looked at.
 *
 * @param lookBack how far before {@code from} is read, for beginnings of what goes on in the range
 * @param session the record key of the one session to look at, or null for all
 * @param most findings that are shown
 */
public record AuditRange(
        Instant from,
        Instant to,
        Instant now,
        Duration grace,
        Duration lookBack,
        @Nullable String session,
        int most) {

    Instant readFrom() {
        return from.minus(lookBack);
    }
}
