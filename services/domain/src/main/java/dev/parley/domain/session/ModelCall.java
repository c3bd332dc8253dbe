package dev.parley.domain.session;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.LeasedCall;
import dev.parley.domain.protocol.ModelRequest;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A pending model call; it is retried at {@code retryAt} if that is not null.
 *
 * @param failures number of failed or lost attempts; requested delays do not count
 * @param recordings to transcribe; empty for a reply
 * @param objection why the answer of an earlier attempt was not used, for the model; or null
 */
@RecordBuilder
public record ModelCall(
        UUID callId,
        int attempt,
        int failures,
        boolean toolsAllowed,
        List<Block.File> recordings,
        Instant leaseUntil,
        @Nullable Instant retryAt,
        @Nullable String objection)
        implements ModelCallBuilder.With, LeasedCall {
    public ModelCall {
        recordings = List.copyOf(recordings);
    }

    public ModelRequest.Purpose purpose() {
        return recordings.isEmpty() ? ModelRequest.Purpose.REPLY : ModelRequest.Purpose.TRANSCRIPT;
    }

    /** Whether an attempt is in progress, and not waiting for its retry. */
    public boolean isRunning() {
        return retryAt == null;
    }

    /** The attempt failed and is retried at the given time. */
    public ModelCall failAttempt(Instant nextAttempt) {
        return with().failures(failures + 1).retryAt(nextAttempt).build();
    }

    /** Number of failures, including this attempt if its lease is lost. */
    public int failuresOnRetry() {
        return retryAt == null ? failures + 1 : failures;
    }
}
