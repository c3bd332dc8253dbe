package dev.parley.channels.protocols;

import dev.parley.channels.deltas.DeltaListener;
import dev.parley.channels.web.TurnFeed;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.EventStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Follows a turn until it ends, waits for its caller, or the client stops waiting. */
public final class TurnFollower {
    /** Maximum time without an event: less than proxies usually allow. */
    public static final Duration SILENCE = Duration.ofSeconds(15);

    /** Maximum duration of a stream. */
    public static final Duration LONGEST = Duration.ofHours(1);

    /** Maximum wait for the last delta after the end of its turn; deltas are best effort. */
    private static final Duration LATE = Duration.ofSeconds(2);
    /** Maximum wait where no delta arrived: the turn ended long ago. */
    private static final Duration PAST = Duration.ofMillis(400);

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(5);

    private final TurnFeed turn;
    private final Duration silence;
    private boolean hasDelta;
    private boolean hasCallerCall;
    private boolean hasCheckedPending;
    private @Nullable String approval;
    private long lastDeltaNanos = System.nanoTime();
    private long lastEventNanos = System.nanoTime();

    /** Listener of a followed turn. */
    public interface Listener {
        /**
         * A delta. The last one has the whole reply, even where no other arrived.
         *
         * @return whether an event was sent to the client
         */
        boolean onDelta(TurnDelta delta) throws InterruptedException;

        /** Pending approvals, at least one, that were requested before this instance followed the turn. */
        default void onApprovals(List<PendingApproval> pending) throws InterruptedException {}

        /** No event was sent for a while, and the turn continues. */
        void onSilence() throws InterruptedException;

        /** Time without deltas after which following ends; empty for no limit. */
        default Optional<Duration> idleTimeout() {
            return Optional.empty();
        }
    }

    /** @param silence maximum time without an event */
    public TurnFollower(TurnFeed turn, Duration silence) {
        this.turn = turn;
        this.silence = silence;
    }

    /** @param timeout maximum duration */
    public TurnEnd follow(Duration timeout, Listener listener) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        TurnEnd end = null;
        while (end == null) {
            end = step(deadline, listener);
        }
        return end;
    }

    /** Waits for one delta and delivers it; null while the turn continues. */
    private @Nullable TurnEnd step(long deadline, Listener listener) throws InterruptedException {
        Optional<Outcome.Finished> finished = turn.awaitEnd(Duration.ZERO);
        Duration remaining = Duration.ofNanos(deadline - System.nanoTime());
        if (finished.isEmpty() && (remaining.isNegative() || isIdle(listener))) {
            return new TurnEnd.Open(approval);
        }
        Optional<TurnDelta> next;
        try {
            next = turn.next(finished.isPresent() ? (hasDelta ? LATE : PAST) : pollTimeout(remaining, listener));
        } catch (EventStream.EndedException e) {
            return withoutDeltas(remaining, listener);
        }
        if (next.isPresent()) {
            deliver(next.get(), listener);
        }
        if (next.filter(DeltaListener::isLast).isPresent()) {
            return end(next.get());
        }
        return next.isEmpty() && finished.isPresent() ? end(finished.get(), listener) : running(next, listener);
    }

    /** Ends where the turn waits for its caller; otherwise reports silence. */
    private @Nullable TurnEnd running(Optional<TurnDelta> next, Listener listener) throws InterruptedException {
        boolean silent = System.nanoTime() - lastEventNanos >= silence.toNanos();
        if (mayWait(next) || (silent && hasCallerCall)) {
            TurnFeed.Pending pending = pending(listener);
            if (!pending.calls().isEmpty()) {
                return new TurnEnd.Called(pending.calls(), pending.usage());
            }
        }
        if (silent) {
            lastEventNanos = System.nanoTime();
            listener.onSilence();
        }
        return null;
    }

    /** The pending calls and approvals of the turn; reports to the listener approvals that no delta has reported. */
    private TurnFeed.Pending pending(Listener listener) throws InterruptedException {
        hasCheckedPending = true;
        TurnFeed.Pending pending = turn.pending();
        if (pending.calls().isEmpty() && !hasDelta && !pending.approvals().isEmpty()) {
            approval = pending.approvals().getLast().approvalId().toString();
            listener.onApprovals(pending.approvals());
        }
        return pending;
    }

    /** Whether the turn may wait for its caller: according to a delta, or where none arrived at all. */
    private boolean mayWait(Optional<TurnDelta> next) {
        return next.isEmpty() ? !hasDelta && !hasCheckedPending : next.get().kind() == TurnDelta.Kind.CALLER_CALL;
    }

    private boolean isIdle(Listener listener) {
        return listener.idleTimeout()
                .filter(timeout -> System.nanoTime() - lastDeltaNanos >= timeout.toNanos())
                .isPresent();
    }

    private Duration pollTimeout(Duration remaining, Listener listener) {
        long now = System.nanoTime();
        Duration untilPoll = min(POLL_INTERVAL, silence.minusNanos(now - lastEventNanos));
        Duration untilIdle = listener.idleTimeout().orElse(POLL_INTERVAL).minusNanos(now - lastDeltaNanos);
        Duration timeout = min(min(remaining, untilPoll), listener.idleTimeout().isEmpty() ? untilPoll : untilIdle);
        return timeout.isNegative() ? Duration.ZERO : timeout;
    }

    private static Duration min(Duration first, Duration second) {
        return first.compareTo(second) < 0 ? first : second;
    }

    private void deliver(TurnDelta delta, Listener listener) throws InterruptedException {
        hasDelta = true;
        lastDeltaNanos = System.nanoTime();
        switch (delta.kind()) {
            case APPROVAL -> approval = delta.toolCallId();
            case CALLER_CALL -> hasCallerCall = true;
            case TOOL_RESULT -> approval = null;
            case TOKEN -> hasCallerCall = false;
            case STARTED, REASONING, TOOL_ARGUMENTS, TOOL_CALL, MESSAGE, PROGRESS, RETRY, DONE, ERROR -> {}
        }
        send(delta, listener);
    }

    private void send(TurnDelta delta, Listener listener) throws InterruptedException {
        if (listener.onDelta(delta)) {
            lastEventNanos = System.nanoTime();
        }
    }

    /** The usage of the turn is known a moment before or after the last delta. */
    private TurnEnd end(TurnDelta last) throws InterruptedException {
        return turn.awaitEnd(OUTCOME_TIMEOUT).map(TurnEnd::of).orElseGet(() -> {
            if (last.kind() == TurnDelta.Kind.ERROR) {
                return new TurnEnd.Failed(ProtocolException.Failure.of(ErrorCategory.UNKNOWN, last.text()), null);
            }
            return last.state() == TurnState.CANCELLED ? new TurnEnd.Cancelled("", null) : new TurnEnd.Completed(null);
        });
    }

    private TurnEnd end(Outcome.Finished finished, Listener listener) throws InterruptedException {
        if (finished.state() == TurnState.COMPLETED) {
            send(
                    new TurnDelta(
                            finished.turnId(),
                            TurnDelta.Kind.DONE,
                            0,
                            0,
                            finished.reply(),
                            null,
                            null,
                            TurnState.COMPLETED),
                    listener);
        }
        return TurnEnd.of(finished);
    }

    /** The server stops, or old deltas cannot be read: only the end is awaited. */
    private TurnEnd withoutDeltas(Duration remaining, Listener listener) throws InterruptedException {
        Optional<Outcome.Finished> finished = turn.awaitEnd(min(remaining, OUTCOME_TIMEOUT));
        return finished.isPresent() ? end(finished.get(), listener) : new TurnEnd.Open(approval);
    }
}
