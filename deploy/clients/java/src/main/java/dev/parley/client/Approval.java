package dev.parley.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call that waits for a person.
 *
 * @param session the key of the session that asks
 * @param arguments JSON as the model wrote it, or null
 * @param subject what the call is about, one value a line, or null
 * @param reason why it is asked besides the rule, or null
 * @param expiresAt when it is refused if nobody answers
 */
public record Approval(
        UUID id,
        String session,
        UUID turn,
        UUID call,
        String tool,
        @Nullable String arguments,
        @Nullable String subject,
        @Nullable String reason,
        Instant askedAt,
        Instant expiresAt) {

    /** What a person may answer. */
    public enum Answer {
        /** This call may be made. */
        ONCE,
        /** Calls like it may be made in this session from now on. */
        SESSION,
        /** Calls like it may be made in this project; the caller has to be allowed to make rules there. */
        PROJECT,
        /** Calls like it may be made anywhere; the caller has to be allowed to make rules of the host. */
        HOST,
        /** It may not be made. */
        REJECT
    }
}
