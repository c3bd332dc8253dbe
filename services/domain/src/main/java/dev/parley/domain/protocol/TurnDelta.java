package dev.parley.domain.protocol;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a turn for those who watch it.
 *
 * @param step the model call it belongs to
 * @param attempt of that call; a higher one starts over
 * @param text the token, the tool's result, the message, what the agent does now, the final reply or the error
 * @param toolName for tool deltas
 * @param toolCallId the model's id for the call, for tool deltas
 * @param state the turn's state, for {@code STARTED}, {@code DONE} and {@code ERROR}
 * @param owner whose the session is, for {@code STARTED}; null where the channel knows nobody
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

    /** A delta that does not say whose the session is. */
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

    /** What a delta is. */
    public enum Kind {
        STARTED,
        TOKEN,
        REASONING,
        TOOL_ARGUMENTS,
        TOOL_CALL,
        TOOL_RESULT,
        MESSAGE,
        /** What the agent does now, in its own words; empty where it does not say. */
        PROGRESS,
        /** A person is asked whether a tool call may be carried out: the question, and its id as {@code toolCallId}. */
        APPROVAL,
        /** The caller is to carry out a tool call, whose {@code TOOL_CALL} came before: its arguments, and its id as {@code toolCallId}. */
        CALLER_CALL,
        /** What was streamed of this step is void: it is tried again. */
        RETRY,
        DONE,
        ERROR
    }

    /** A delta that is about no tool. */
    public static TurnDelta of(UUID turnId, Kind kind, int step, int attempt, String text) {
        return new TurnDelta(turnId, kind, step, attempt, text, null, null, null);
    }
}
