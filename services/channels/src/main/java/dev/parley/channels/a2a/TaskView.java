package dev.parley.channels.a2a;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.a2a.ProtocolVersion.State;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.OpenQuestions.Question;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnState;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A turn as a task.
 *
 * @param words why it failed, or what it does; null for nothing
 * @param questions that wait for an answer
 * @param reply its result; null while there is none
 * @param said what it was asked; null where that is not known
 */
record TaskView(
        ExternalTurnId name,
        State state,
        @Nullable String words,
        List<Question> questions,
        @Nullable String reply,
        @Nullable String said,
        Instant at) {
    TaskView {
        questions = List.copyOf(questions);
    }

    /** One that has ended. */
    static TaskView of(ExternalTurnId name, Outcome.Finished turn) {
        TurnEnd end = TurnEnd.of(turn);
        String reply = end instanceof TurnEnd.Completed ? turn.reply() : null;
        return new TaskView(name, state(end), words(end), List.of(), reply, turn.text(), turn.completedAt());
    }

    /** One that goes on. @param queued whether others go before it */
    static TaskView open(
            ExternalTurnId name, List<Question> questions, boolean queued, @Nullable String said, Instant at) {
        State state = questions.isEmpty() ? (queued ? State.SUBMITTED : State.WORKING) : State.INPUT_REQUIRED;
        return new TaskView(name, state, null, questions, null, said, at);
    }

    /** One of a list of turns. @param turn as the API shows it */
    static TaskView listed(JsonNode turn) {
        TurnState stands = TurnState.valueOf(turn.path("state").asText());
        boolean failed = stands == TurnState.FAILED || stands == TurnState.CANCELLED;
        return new TaskView(
                new ExternalTurnId(
                        turn.path("session").asText(),
                        UUID.fromString(turn.path("id").asText())),
                state(stands),
                failed ? turn.path("error").path("message").textValue() : null,
                List.of(),
                stands == TurnState.COMPLETED ? turn.path("reply").asText() : null,
                turn.path("text").asText(),
                Instant.parse(turn.path(turn.hasNonNull("completedAt") ? "completedAt" : "createdAt")
                        .asText()));
    }

    /** The states of the turns that are tasks in this one, with commas between them. */
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

    /** The same without its result. */
    TaskView withoutReply() {
        return new TaskView(name, state, words, questions, null, said, at);
    }

    static State state(TurnEnd end) {
        return switch (end) {
            case TurnEnd.Completed _ -> State.COMPLETED;
            case TurnEnd.Failed _ -> State.FAILED;
            case TurnEnd.Cancelled _ -> State.CANCELED;
            case TurnEnd.Open _, TurnEnd.Called _ -> State.WORKING;
        };
    }

    static @Nullable String words(TurnEnd end) {
        return switch (end) {
            case TurnEnd.Failed failed -> failed.failure().message();
            case TurnEnd.Cancelled cancelled -> cancelled.failure().message();
            case TurnEnd.Completed _, TurnEnd.Open _, TurnEnd.Called _ -> null;
        };
    }
}
