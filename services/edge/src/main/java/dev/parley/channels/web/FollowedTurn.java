package dev.parley.channels.web;

import dev.parley.channels.contract.Intake;
import dev.parley.channels.deltas.DeltaListener;
import dev.parley.channels.web.TurnSubmitter.Submitted;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.CallsListed;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.http.EventStream;
import dev.parley.platform.http.TurnJson;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;

/** A submitted turn with its deltas from the start. Closing it stops following, never the turn. */
public final class FollowedTurn implements TurnFeed, AutoCloseable {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    /** Time without a delta after which the session is queried; deltas are best effort. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(15);

    private final Submitted submitted;
    private final DeltaWatch watch;
    private final Supplier<Optional<CallsListed>> waiting;

    /** @param waiting the pending calls and approvals of the session; empty where they are unknown */
    FollowedTurn(Submitted submitted, DeltaWatch watch, Supplier<Optional<CallsListed>> waiting) {
        this.submitted = submitted;
        this.watch = watch;
        this.waiting = waiting;
    }

    /** Its session. */
    public RecordKey key() {
        return submitted.key();
    }

    public UUID id() {
        return submitted.turnId();
    }

    /** Its number in the session; empty while unknown. */
    public OptionalLong seq() {
        return switch (submitted.outcome().orElse(null)) {
            case Outcome.Accepted accepted when accepted.turnSeq() != null -> OptionalLong.of(accepted.turnSeq());
            case Outcome.Finished finished -> OptionalLong.of(finished.turnSeq());
            case null, default -> OptionalLong.empty();
        };
    }

    /** Whether the turn was queued when it was submitted. */
    public boolean isQueued() {
        return submitted.position() > 0;
    }

    @Override
    public Optional<TurnDelta> next(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Optional<PositionedDelta> next = watch.next(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            if (next.isEmpty() || next.get().delta().turnId().equals(id())) {
                return next.map(PositionedDelta::delta);
            }
        }
    }

    @Override
    public Optional<Outcome.Finished> awaitEnd(Duration timeout) throws InterruptedException {
        return submitted.outcome().orElse(null) instanceof Outcome.Finished finished
                ? Optional.of(finished) // the turn had already ended
                : Intake.within(timeout, submitted.ticket().finished());
    }

    @Override
    public Pending pending() {
        return waiting.get()
                .map(listed -> new Pending(
                        listed.calls().stream()
                                .filter(call -> call.turnId().equals(id()))
                                .toList(),
                        listed.approvals().stream()
                                .filter(approval -> approval.turnId().equals(id()))
                                .toList(),
                        listed.usage()))
                .orElse(Pending.NOTHING);
    }

    /** 200 with the ended turn; 202 when it waits for its caller, or after the timeout. */
    MutableHttpResponse<TurnJson> response(Duration timeout) throws InterruptedException {
        TurnJson turn = await(timeout);
        return HttpResponse.<TurnJson>status(turn.completedAt() == null ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(turn);
    }

    /** The turn when it has ended, waits for its caller, or after the timeout. */
    private TurnJson await(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        boolean mayCall = true; // it may have called before it was followed
        while (true) {
            Optional<Outcome.Finished> end = awaitEnd(Duration.ZERO);
            List<CallerCall> waiting = end.isEmpty() && mayCall ? pending().calls() : List.of();
            Duration remaining = Duration.ofNanos(deadline - System.nanoTime());
            if (end.isPresent() || !waiting.isEmpty() || !remaining.isPositive()) {
                return end.map(TurnJson::of).orElseGet(() -> submitted.json().calling(waiting));
            }
            try {
                mayCall = mayCall(remaining.compareTo(CHECK_INTERVAL) < 0 ? remaining : CHECK_INTERVAL);
            } catch (EventStream.EndedException e) {
                return awaitEnd(remaining).map(TurnJson::of).orElseGet(submitted::json);
            }
        }
    }

    /** Waits until the turn may wait for its caller (true) or has ended. */
    private boolean mayCall(Duration silence) throws InterruptedException {
        long deadline = System.nanoTime() + silence.toNanos();
        while (awaitEnd(Duration.ZERO).isEmpty() && System.nanoTime() < deadline) {
            Duration remaining = Duration.ofNanos(deadline - System.nanoTime());
            Optional<TurnDelta> next = next(remaining.compareTo(POLL_INTERVAL) < 0 ? remaining : POLL_INTERVAL);
            if (next.filter(DeltaListener::isLast).isPresent()) {
                awaitEnd(remaining); // a moment before or after
            } else if (next.isPresent() && next.get().kind() == TurnDelta.Kind.CALLER_CALL) {
                return true;
            }
        }
        return awaitEnd(Duration.ZERO).isEmpty();
    }

    @Override
    public void close() {
        try (submitted) {
            watch.close();
        }
    }
}
