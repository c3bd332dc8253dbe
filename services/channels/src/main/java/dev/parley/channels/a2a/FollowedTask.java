package dev.parley.channels.a2a;

import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.OpenQuestions;
import dev.parley.channels.web.TurnFeed;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.http.EventStream.EndedException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A task with the deltas of its turn. For one thread. */
final class FollowedTask {
    private final TurnFeed turn;
    private final ExternalTurnId name;
    private final boolean isQueued;
    private final @Nullable String said;
    private final OpenQuestions questions = new OpenQuestions();
    private final AnswerText text = new AnswerText(false);
    private final StringBuilder saying = new StringBuilder();
    private boolean isStarted;

    /**
     * @param isQueued whether the turn is queued, as far as is known
     *
     * @param said the user message; null where it is unknown
     */
    FollowedTask(TurnFeed turn, ExternalTurnId name, boolean isQueued, @Nullable String said) {
        this.turn = turn;
        this.name = name;
        this.isQueued = isQueued;
        this.said = said;
    }

    TurnFeed turn() {
        return turn;
    }

    ExternalTurnId name() {
        return name;
    }

    OpenQuestions questions() {
        return questions;
    }

    /** The text being streamed; empty for none. */
    String saying() {
        return saying.toString();
    }

    /** Applies a delta; the piece of text that it adds, or null. */
    AnswerText.@Nullable Piece hear(TurnDelta delta) {
        isStarted = true;
        questions.hear(delta);
        AnswerText.Piece piece = text.add(delta);
        if (piece != null) {
            if (piece.begins()) {
                saying.setLength(0);
            }
            saying.append(piece.text());
        }
        return piece;
    }

    /** Applies the cached deltas of the turn, and the pending approvals of its session. */
    void catchUp() throws InterruptedException {
        try {
            for (Optional<TurnDelta> past = turn.next(Duration.ZERO);
                    past.isPresent();
                    past = turn.next(Duration.ZERO)) {
                hear(past.get());
            }
        } catch (EndedException e) {
            // the server stops: what is known is known
        }
        if (turn.finished(Duration.ZERO).isEmpty()) {
            questions.add(turn.pending().approvals());
        }
    }

    /**
     * The state of the task.
     *
     * @param most how long its end is awaited
     */
    TaskView view(Duration most) throws InterruptedException {
        Optional<Outcome.Finished> end = turn.finished(most);
        return end.isPresent()
                ? TaskView.of(name, end.get())
                : TaskView.open(name, questions.open(), isQueued && !isStarted, said, Instant.now());
    }
}
