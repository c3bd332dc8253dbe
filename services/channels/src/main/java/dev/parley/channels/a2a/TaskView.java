package dev.parley.channels.a2a;

import dev.parley.channels.a2a.Dialect.State;
import dev.parley.channels.protocols.OpenQuestions.Question;
import dev.parley.channels.protocols.TurnEnd;
import dev.parley.channels.protocols.TurnName;
import dev.parley.domain.protocol.Outcome;
import java.time.Instant;
import java.util.List;
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
        TurnName name,
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
    static TaskView of(TurnName name, Outcome.Finished turn) {
        TurnEnd end = TurnEnd.of(turn);
        String reply = end instanceof TurnEnd.Completed ? turn.reply() : null;
        return new TaskView(name, state(end), words(end), List.of(), reply, turn.text(), turn.completedAt());
    }

    /** One that goes on. @param queued whether others go before it */
    static TaskView open(TurnName name, List<Question> questions, boolean queued, @Nullable String said, Instant at) {
        State state = questions.isEmpty() ? (queued ? State.SUBMITTED : State.WORKING) : State.INPUT_REQUIRED;
        return new TaskView(name, state, null, questions, null, said, at);
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
