package dev.parley.domain.session;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.UUID;

/** A pending summary of the entries before {@code cut}, the turns up to {@code upTo}. */
@RecordBuilder
public record PendingSummary(UUID callId, int attempt, long upTo, long cut, Instant leaseUntil, Instant deadline)
        implements PendingSummaryBuilder.With {
    /** When the lease or the deadline expires. */
    public Instant due() {
        return leaseUntil.isBefore(deadline) ? leaseUntil : deadline;
    }
}
