package dev.parley.server.canary;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a canary does.
 *
 * @param project in whose sessions it speaks, or null for the default project
 * @param agent who answers, or null for the sessions' own
 * @param text what it says; {@code {nonce}} in it is what the reply has to carry
 * @param turns after so many it ends, or 0 for no such end
 * @param length after so long it ends, or null for no such end
 * @param sendWithin a message that the server does not accept in this time is given up
 * @param within in this time after a message was accepted its reply must be read in the session's messages
 * @param pause between two turns
 * @param turnsPerSession after so many the session is looked at as a whole, and another one begins
 * @param ends how it learns the end of a turn
 * @param keep whether sessions stay in which nothing was wrong
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
    private static final ObjectMapper JSON = new ObjectMapper();

    /** How a canary detects the end of a turn. */
    enum Ends {
        /** From the event stream of the turn. */
        EVENTS,
        /** By long polling, with the same idempotency key. */
        POLL,
        /** Alternating between both. */
        BOTH;

        /** Whether this turn is followed by events. */
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
