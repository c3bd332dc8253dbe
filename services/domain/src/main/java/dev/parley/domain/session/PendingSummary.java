package dev.parley.domain.session;

import dev.parley.domain.protocol.TurnEvent.SummaryRequested;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.UUID;

/** A pending summary of the entries before {@code cut}, the turns up to {@code upTo}. */
@RecordBuilder
public record PendingSummary(UUID callId, int attempt, long upTo, long cut, Instant leaseUntil, Instant deadline)
        implements PendingSummaryBuilder.With {
    public static PendingSummary of(SummaryRequested e) {
        return new PendingSummary(e.callId(), e.attempt(), e.upTo(), e.cut(), e.leaseUntil(), e.deadline());
    }

    /** Expiry of the lease or the deadline, whichever is first. */
    public Instant due() {
        return leaseUntil.isBefore(deadline) ? leaseUntil : deadline;
    }
}
