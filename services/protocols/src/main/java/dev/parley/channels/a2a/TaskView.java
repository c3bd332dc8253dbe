package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.a2a.A2aVersion.State;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.PendingApprovals.Approval;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.domain.Ids;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnState;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A turn as a task.
 *
 * @param statusText reason for the failure, or the progress; null for none
 * @param approvals pending approvals
 * @param reply its result; null while there is none
 * @param userMessage the user message; null where it is unknown
 */
record TaskView(
        ExternalTurnId name,
        State state,
        @Nullable String statusText,
        List<Approval> approvals,
        @Nullable String reply,
        @Nullable String userMessage,
        Instant at) {
    TaskView {
        approvals = List.copyOf(approvals);
    }

    /** A task that has ended. */
    static TaskView of(ExternalTurnId name, Outcome.Finished turn) {
        TurnEnd end = TurnEnd.of(turn);
        String reply = end instanceof TurnEnd.Completed ? turn.reply() : null;
        return new TaskView(name, state(end), statusText(end), List.of(), reply, turn.text(), turn.completedAt());
    }

    /**
     * A running task.
     *
     * @param queued whether it is queued
     */
    static TaskView open(
            ExternalTurnId name, List<Approval> approvals, boolean queued, @Nullable String userMessage, Instant at) {
        State state = approvals.isEmpty() ? (queued ? State.SUBMITTED : State.WORKING) : State.INPUT_REQUIRED;
        return new TaskView(name, state, null, approvals, null, userMessage, at);
    }

    /**
     * A task from a list.
     *
     * @param turn as the API returns it
     */
    static TaskView fromListedTurn(JsonNode turn) {
        TurnState state = TurnState.valueOf(turn.path("state").asText());
        boolean failed = state == TurnState.FAILED || state == TurnState.CANCELLED;
        return new TaskView(
                new ExternalTurnId(
                        turn.path("session").asText(), Ids.parse(turn.path("id").asText())),
                state(state),
                failed ? turn.path("error").path("message").textValue() : null,
                List.of(),
                state == TurnState.COMPLETED ? turn.path("reply").asText() : null,
                turn.path("text").asText(),
                Instant.parse(turn.path(turn.hasNonNull("completedAt") ? "completedAt" : "createdAt")
                        .asText()));
    }

    /** The turn states of a task state, separated by commas. */
    static String states(State state) {
        return Arrays.stream(TurnState.values())
                .filter(turn -> state(turn) == state)
                .map(TurnState::name)
                .collect(Collectors.joining(","));
    }

    private static State state(TurnState turn) {
        return switch (turn) {
            case QUEUED -> State.SUBMITTED;
            case RUNNING_MODEL, WAITING_TOOL, WAITING_CHILD, WAITING_HISTORY -> State.WORKING;
            case WAITING_APPROVAL -> State.INPUT_REQUIRED;
            case COMPLETED -> State.COMPLETED;
            case FAILED -> State.FAILED;
            case CANCELLED -> State.CANCELED;
        };
    }

    /** A copy without the result. */
    TaskView withoutReply() {
        return new TaskView(name, state, statusText, approvals, null, userMessage, at);
    }

    static State state(TurnEnd end) {
        return switch (end) {
            case TurnEnd.Completed _ -> State.COMPLETED;
            case TurnEnd.Failed _ -> State.FAILED;
            case TurnEnd.Cancelled _ -> State.CANCELED;
            case TurnEnd.Open _, TurnEnd.Called _ -> State.WORKING;
        };
    }

    static @Nullable String statusText(TurnEnd end) {
        return switch (end) {
            case TurnEnd.Failed failed -> failed.failure().message();
            case TurnEnd.Cancelled cancelled -> cancelled.failure().message();
            case TurnEnd.Completed _, TurnEnd.Open _, TurnEnd.Called _ -> null;
        };
    }
}
