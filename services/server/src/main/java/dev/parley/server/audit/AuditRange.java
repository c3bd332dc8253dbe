package dev.parley.server.audit;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The range of an audit.
 *
 * @param lookBack time before {@code from} that is read, for work that began earlier
 * @param session the record key of one session, or null for all
 * @param maxFindings maximum number of findings shown
 */
public record AuditRange(
        Instant from,
        Instant to,
        Instant now,
        Duration grace,
        Duration lookBack,
        @Nullable String session,
        int maxFindings) {

    Instant readFrom() {
        return from.minus(lookBack);
    }
}
