package dev.parley.domain.turn;

import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.TurnCancelled;
import dev.parley.domain.protocol.TurnEvent.TurnCompleted;
import dev.parley.domain.protocol.TurnEvent.TurnFailed;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stored outcomes of ended turns, derived from the event and the state before it. */
final class TurnEndings {
    private TurnEndings() {}

    /** The outcome of the turn that this event ends; empty if it ends none. */
    static Optional<Outcome.Finished> outcomeOf(SessionState before, TurnEvent event) {
        return switch (event) {
            case TurnCompleted e ->
                Optional.of(finishedOutcome(before, e.meta(), TurnState.COMPLETED, e.reply(), null, null, e.usage()));
            case TurnFailed e ->
                Optional.of(finishedOutcome(
                        before, e.meta(), TurnState.FAILED, e.message(), e.category(), e.message(), e.usage()));
            case TurnCancelled e ->
                Optional.of(finishedOutcome(
                        before,
                        e.meta(),
                        TurnState.CANCELLED,
                        e.partial(),
                        ErrorCategory.CANCELLED,
                        e.reason(),
                        e.usage()));
            default -> Optional.empty();
        };
    }

    private static Outcome.Finished finishedOutcome(
            SessionState before,
            EventMeta meta,
            TurnState state,
            String reply,
            @Nullable ErrorCategory error,
            @Nullable String message,
            Usage usage) {
        ActiveTurn active = before.active();
        QueuedTurn turn = before.turn(Objects.requireNonNull(meta.turnId(), "an end is a turn's"))
                .orElseThrow();
        return new Outcome.Finished(
                before.key(),
                turn.turnId(),
                meta.sessionId(),
                turn.seq(),
                state,
                turn.posted() ? "" : Message.text(turn.content()),
                reply,
                active != null && active.turnId().equals(meta.turnId()) ? active.lastModel() : null,
                error,
                message,
                usage,
                turn.acceptedAt(),
                meta.at());
    }
}
