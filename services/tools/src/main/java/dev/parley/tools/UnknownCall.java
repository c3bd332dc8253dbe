package dev.parley.tools;

import dev.parley.domain.protocol.CallOutcome;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of unknown outcome.
 *
 * @param session the session key; empty if the session is erased
 * @param effect RECONCILABLE or AT_MOST_ONCE
 * @param finishedAt time when the model received the result
 * @param result the result that the model received
 * @param outcome as decided by a user; null, as are user and time, while the decision is pending
 */
@MappedEntity(value = "tool_execution_t", schema = "tools")
record UnknownCall(
        @Id UUID id,
        UUID sessionId,
        String session,
        UUID turnId,
        String agent,
        String tool,
        String effect,
        Instant startedAt,
        Instant finishedAt,
        String result,
        @Nullable String outcome,
        @Nullable String decidedBy,
        @Nullable Instant decidedAt,
        @Nullable String note) {

    /** The decision of a user about the outcome. */
    record Decision(
            CallOutcome outcome,
            String user,
            Instant at,
            @Nullable String note) {}

    /** The decision, or null while it is pending. */
    @Nullable
    Decision decision() {
        return outcome == null
                ? null
                : new Decision(
                        CallOutcome.valueOf(outcome.toUpperCase(Locale.ROOT)),
                        Objects.requireNonNull(decidedBy),
                        Objects.requireNonNull(decidedAt),
                        note);
    }
}
