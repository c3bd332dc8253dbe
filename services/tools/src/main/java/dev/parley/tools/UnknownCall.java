package dev.parley.tools;

import dev.parley.domain.protocol.CallOutcome;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of unknown outcome.
 *
 * @param session the session key; empty if the session is erased
 * @param effect RECONCILABLE or AT_MOST_ONCE
 * @param finishedAt time when the model received the result
 * @param result the result that the model received
 * @param decision the decision of a user, or null while it is pending
 */
record UnknownCall(
        UUID id,
        UUID sessionId,
        String session,
        UUID turnId,
        String agent,
        String tool,
        String effect,
        Instant startedAt,
        Instant finishedAt,
        String result,
        @Nullable Decision decision) {

    /** The decision of a user about the outcome. */
    record Decision(
            CallOutcome outcome,
            String user,
            Instant at,
            @Nullable String note) {}
}
