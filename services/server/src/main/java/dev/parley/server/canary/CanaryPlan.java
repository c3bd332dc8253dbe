package dev.parley.server.canary;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a canary.
 *
 * @param project of its sessions, or null for the default project
 * @param agent or null for that of the sessions
 * @param text of the messages; the reply must contain the value of {@code {nonce}} in it
 * @param turns maximum of turns, or 0 for no limit
 * @param length maximum duration, or null for no limit
 * @param sendWithin time limit for the server to accept a message
 * @param within time limit, from when a message is accepted, for its reply to be among the messages of the session
 * @param pause between two turns
 * @param turnsPerSession turns after which a session is checked as a whole and replaced
 * @param ends detection of the end of a turn
 * @param keep whether sessions without findings are kept
 */
record CanaryPlan(
        @Nullable String project,
        @Nullable String agent,
        String text,
        long turns,
        @Nullable Duration length,
        Duration sendWithin,
        Duration within,
        Duration pause,
        int turnsPerSession,
        Ends ends,
        boolean keep) {
    static final String NONCE = "{nonce}";
    private static final ObjectMapper JSON = JsonMappers.stored();

    /** The detection of the end of a turn. */
    enum Ends {
        /** From the event stream of the turn. */
        EVENTS,
        /** By long polling, with the same idempotency key. */
        POLL,
        /** Alternating between both. */
        BOTH;

        /** Whether the end of this turn is detected from events. */
        boolean areEvents(long turn) {
            return this == EVENTS || (this == BOTH && turn % 2 == 0);
        }
    }

    CanaryPlan {
        if (!text.contains(NONCE)) {
            throw new IllegalArgumentException("--text has to contain " + NONCE);
        }
        if (turns < 0 || turnsPerSession < 1 || turnsPerSession > 1_000) {
            throw new IllegalArgumentException("--turns is 0 or more, --turns-per-session 1 to 1000");
        }
        if (sendWithin.isZero()) {
            throw new IllegalArgumentException("--send-within is more than 0s");
        }
        if (within.isZero() || within.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException("--within is more than 0s and at most 1h");
        }
    }

    /** The request body of a message with this nonce; memory is off. */
    String body(String nonce) {
        ObjectNode body = JSON.createObjectNode().put("text", text.replace(NONCE, nonce));
        if (agent != null) {
            body.put("agent", agent);
        }
        body.putObject("settings").put("memory", "none");
        return body.toString();
    }
}
