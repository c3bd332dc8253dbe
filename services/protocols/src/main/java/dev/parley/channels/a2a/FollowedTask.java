package dev.parley.channels.a2a;

import dev.parley.channels.protocols.AnswerText;
import dev.parley.channels.protocols.ExternalTurnId;
import dev.parley.channels.protocols.PendingApprovals;
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
    private final @Nullable String userMessage;
    private final PendingApprovals approvals = new PendingApprovals();
    private final AnswerText text = new AnswerText(false);
    private final StringBuilder partialText = new StringBuilder();
    private boolean isStarted;

    /**
     * @param isQueued whether the turn is queued, as far as is known
     *
     * @param userMessage the user message; null where it is unknown
     */
    FollowedTask(TurnFeed turn, ExternalTurnId name, boolean isQueued, @Nullable String userMessage) {
        this.turn = turn;
        this.name = name;
        this.isQueued = isQueued;
        this.userMessage = userMessage;
    }

    TurnFeed turn() {
        return turn;
    }

    ExternalTurnId name() {
        return name;
    }

    PendingApprovals approvals() {
        return approvals;
    }

    /** The text being streamed; empty for none. */
    String partialText() {
        return partialText.toString();
    }

    /** Applies a delta; the piece of text that it adds, or null. */
    AnswerText.@Nullable Piece apply(TurnDelta delta) {
        isStarted = true;
        approvals.apply(delta);
        AnswerText.Piece piece = text.add(delta);
        if (piece != null) {
            if (piece.begins()) {
                partialText.setLength(0);
            }
            partialText.append(piece.text());
        }
        return piece;
    }

    /** Applies the cached deltas of the turn, and the pending approvals of its session. */
    void catchUp() throws InterruptedException {
        try {
            turn.drain(this::apply);
        } catch (EndedException e) {
            // the server stops; the deltas read so far stay applied
        }
        if (turn.awaitEnd(Duration.ZERO).isEmpty()) {
            approvals.add(turn.pending().approvals());
        }
    }

    /**
     * The state of the task.
     *
     * @param timeout maximum wait for its end
     */
    TaskView view(Duration timeout) throws InterruptedException {
        Optional<Outcome.Finished> end = turn.awaitEnd(timeout);
        return end.isPresent()
                ? TaskView.of(name, end.get())
                : TaskView.open(name, approvals.open(), isQueued && !isStarted, userMessage, Instant.now());
    }
}
