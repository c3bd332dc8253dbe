package dev.parley.domain.session;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.ModelRequest;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A model call that is awaited; it is made again at {@code retryAt} where that is not null.
 *
 * @param failures how many attempts failed or were lost; one that was told to come back later is none of them
 * @param recordings those that it is to write down; none where it is asked for a reply
 */
@RecordBuilder
public record ModelCall(
        UUID callId,
        int attempt,
        int failures,
        boolean toolsAllowed,
        List<Block.File> recordings,
        Instant leaseUntil,
        @Nullable Instant retryAt)
        implements ModelCallBuilder.With {
    public ModelCall {
        recordings = List.copyOf(recordings);
    }

    /** What it is made for. */
    public ModelRequest.Purpose purpose() {
        return recordings.isEmpty() ? ModelRequest.Purpose.REPLY : ModelRequest.Purpose.TRANSCRIPT;
    }

    /** It failed, and is made again then. */
    public ModelCall failed(Instant again) {
        return with().failures(failures + 1).retryAt(again).build();
    }

    /** Failures including this attempt, should it be given up because nobody has it any more. */
    public int failuresWhenAskedAgain() {
        return retryAt == null ? failures + 1 : failures;
    }
}
