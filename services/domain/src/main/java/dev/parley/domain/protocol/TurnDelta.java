package dev.parley.domain.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stream delta: a chunk of a turn for subscribers.
 *
 * @param step number of the model call
 * @param attempt of that call; a higher one replaces the text of the earlier ones
 * @param text the token, tool result, message, progress, final reply or error
 * @param toolName for tool deltas
 * @param toolCallId the model's own id of the call, for tool deltas
 * @param state of the turn, for {@code STARTED}, {@code DONE} and {@code ERROR}
 * @param owner the session's user, for {@code STARTED}; null if the channel does not know
 */
public record TurnDelta(
        UUID turnId,
        Kind kind,
        int step,
        int attempt,
        String text,
        @Nullable String toolName,
        @Nullable String toolCallId,
        @Nullable TurnState state,
        @Nullable String owner) {

    /** A delta without the session's user. */
    public TurnDelta(
            UUID turnId,
            Kind kind,
            int step,
            int attempt,
            String text,
            @Nullable String toolName,
            @Nullable String toolCallId,
            @Nullable TurnState state) {
        this(turnId, kind, step, attempt, text, toolName, toolCallId, state, null);
    }

    /** Kinds of stream deltas. */
    public enum Kind {
        STARTED,
        TOKEN,
        REASONING,
        TOOL_ARGUMENTS,
        TOOL_CALL,
        TOOL_RESULT,
        MESSAGE,
        /** The agent's current activity, in its own words; may be empty. */
        PROGRESS,
        /** A tool call needs approval: the question, with the approval's id as {@code toolCallId}. */
        APPROVAL,
        /**
         * A tool call for the caller, announced by {@code TOOL_CALL}: its arguments, with the call's id as
         * {@code toolCallId}.
         */
        CALLER_CALL,
        /** The step is retried: earlier deltas of it are void. */
        RETRY,
        DONE,
        ERROR
    }

    /** A delta that concerns no tool. */
    public static TurnDelta of(UUID turnId, Kind kind, int step, int attempt, String text) {
        return new TurnDelta(turnId, kind, step, attempt, text, null, null, null);
    }
}
