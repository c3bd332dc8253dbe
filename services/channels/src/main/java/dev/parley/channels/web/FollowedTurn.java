package dev.parley.channels.web;

import dev.parley.channels.contract.Intake;
import dev.parley.channels.web.TurnSubmitter.Submitted;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnDelta;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;

/** A turn that was submitted, with its deltas from the first one. Closing it stops the following, never the turn. */
public final class FollowedTurn implements TurnFeed, AutoCloseable {
    private final Submitted submitted;
    private final DeltaWatch watch;
    private final Supplier<List<CallerCall>> calls;

    /** @param calls asks the session which calls wait for the caller */
    FollowedTurn(Submitted submitted, DeltaWatch watch, Supplier<List<CallerCall>> calls) {
        this.submitted = submitted;
        this.watch = watch;
        this.calls = calls;
    }

    /** Its session. */
    public RecordKey key() {
        return submitted.key();
    }

    /** Its id. */
    public UUID id() {
        return submitted.turnId();
    }

    /** Its number in the session; empty while that is not known. */
    public OptionalLong seq() {
        return switch (submitted.outcome().orElse(null)) {
            case Outcome.Accepted accepted when accepted.turnSeq() != null -> OptionalLong.of(accepted.turnSeq());
            case Outcome.Finished finished -> OptionalLong.of(finished.turnSeq());
            case null, default -> OptionalLong.empty();
        };
    }

    /** Whether others went before it when it was submitted. */
    public boolean isQueued() {
        return submitted.position() > 0;
    }

    @Override
    public Optional<TurnDelta> next(Duration most) throws InterruptedException {
        long until = System.nanoTime() + most.toNanos();
        while (true) {
            Optional<Delta> next = watch.next(Duration.ofNanos(Math.max(0, until - System.nanoTime())));
            if (next.isEmpty() || next.get().delta().turnId().equals(id())) {
                return next.map(Delta::delta);
            }
        }
    }

    @Override
    public Optional<Outcome.Finished> finished(Duration most) throws InterruptedException {
        return submitted.outcome().orElse(null) instanceof Outcome.Finished finished
                ? Optional.of(finished) // of a turn that had ended before it was asked for
                : Intake.within(most, submitted.ticket().finished());
    }

    @Override
    public List<CallerCall> awaited() {
        return calls.get().stream().filter(call -> call.turnId().equals(id())).toList();
    }

    @Override
    public void close() {
        try (submitted) {
            watch.close();
        }
    }
}
