package dev.parley.tools;

import dev.parley.domain.protocol.CallOutcome;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call that nobody saw the end of.
 *
 * @param session its key; empty where the session is erased
 * @param effect RECONCILABLE or AT_MOST_ONCE
 * @param finishedAt when the model was told
 * @param result what it was told
 * @param decision what a person found out, or null as long as nobody has
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

    /** What a person found out; {@code user} is their id. */
    record Decision(
            CallOutcome outcome,
            String user,
            Instant at,
            @Nullable String note) {}
}
