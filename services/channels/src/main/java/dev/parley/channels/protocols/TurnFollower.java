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

    /** Deltas are best effort: how long the last one is awaited after the end of its turn. */
    private static final Duration LATE = Duration.ofSeconds(2);
    /** The same where no delta arrived: the turn ended long ago. */
    private static final Duration PAST = Duration.ofMillis(400);

    private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(5);

    private final TurnFeed turn;
    private final Duration silence;
    private boolean heard;
    private boolean calls;
    private boolean looked;
    private @Nullable String approval;
    private long heardNanos = System.nanoTime();
    private long spokenNanos = System.nanoTime();

    /** Listener of a followed turn. */
    public interface Listener {
        /**
         * A delta. The last one has the whole reply, even where no other arrived.
         *
         * @return whether the client was sent something
         */
        boolean heard(TurnDelta delta) throws InterruptedException;

        /** Pending approvals, at least one, that were requested before this instance followed the turn. */
        default void asked(List<PendingApproval> asked) throws InterruptedException {}

        /** Nothing was sent for a while, and the turn continues. */
        void silent() throws InterruptedException;

        /** After how long without deltas following ends; empty for no limit. */
        default Optional<Duration> patience() {
            return Optional.empty();
        }
    }

    /** @param silence maximum time without an event */
    public TurnFollower(TurnFeed turn, Duration silence) {
        this.turn = turn;
        this.silence = silence;
    }

    /** @param most maximum duration */
    public TurnEnd follow(Duration most, Listener listener) throws InterruptedException {
        long until = System.nanoTime() + most.toNanos();
        while (true) {
            Optional<Outcome.Finished> ended = turn.finished(Duration.ZERO);
            Duration left = Duration.ofNanos(until - System.nanoTime());
            if (ended.isEmpty() && (left.isNegative() || isEnough(listener))) {
                return new TurnEnd.Open(approval);
            }
            Optional<TurnDelta> next;
            try {
                next = turn.next(ended.isPresent() ? (heard ? LATE : PAST) : shortest(left, listener));
            } catch (EventStream.EndedException e) {
                return withoutDeltas(left, listener);
            }
            if (next.isPresent()) {
                tell(next.get(), listener);
            }
            if (next.filter(DeltaListener::isLast).isPresent()) {
                return end(next.get());
            }
            if (next.isEmpty() && ended.isPresent()) {
                return end(ended.get(), listener);
            }
            boolean silent = System.nanoTime() - spokenNanos >= silence.toNanos();
            if (mayWait(next) || (silent && calls)) {
                TurnFeed.Pending pending = pending(listener);
                if (!pending.calls().isEmpty()) {
                    return new TurnEnd.Called(pending.calls());
                }
            }
            if (silent) {
                speak();
                listener.silent();
            }
        }
    }

    /** What the turn waits for; the listener learns of approvals that no delta has reported. */
    private TurnFeed.Pending pending(Listener listener) throws InterruptedException {
        looked = true;
        TurnFeed.Pending pending = turn.pending();
        if (pending.calls().isEmpty() && !heard && !pending.approvals().isEmpty()) {
            approval = pending.approvals().getLast().approvalId().toString();
            listener.asked(pending.approvals());
        }
        return pending;
    }

    /** Whether the turn may wait for its caller: according to a delta, or where none arrived at all. */
    private boolean mayWait(Optional<TurnDelta> next) {
        return next.isEmpty() ? !heard && !looked : next.get().kind() == TurnDelta.Kind.CALLER_CALL;
    }

    private boolean isEnough(Listener listener) {
        return listener.patience()
                .filter(patience -> System.nanoTime() - heardNanos >= patience.toNanos())
                .isPresent();
    }

    private Duration shortest(Duration left, Listener listener) {
        long now = System.nanoTime();
        Duration most = least(POLL_INTERVAL, silence.minusNanos(now - spokenNanos));
        Duration patience = listener.patience().orElse(POLL_INTERVAL).minusNanos(now - heardNanos);
        Duration pause = least(least(left, most), listener.patience().isEmpty() ? most : patience);
        return pause.isNegative() ? Duration.ZERO : pause;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void tell(TurnDelta delta, Listener listener) throws InterruptedException {
        heard = true;
        heardNanos = System.nanoTime();
        switch (delta.kind()) {
            case APPROVAL -> approval = delta.toolCallId();
            case CALLER_CALL -> calls = true;
            case TOOL_RESULT -> approval = null;
            case TOKEN -> calls = false;
            case STARTED, REASONING, TOOL_ARGUMENTS, TOOL_CALL, MESSAGE, PROGRESS, RETRY, DONE, ERROR -> {}
        }
        told(delta, listener);
    }

    private void told(TurnDelta delta, Listener listener) throws InterruptedException {
        if (listener.heard(delta)) {
            speak();
        }
    }

    private void speak() {
        spokenNanos = System.nanoTime();
    }

    /** The usage of the turn is known a moment before or after the last delta. */
    private TurnEnd end(TurnDelta last) throws InterruptedException {
        return turn.finished(OUTCOME_TIMEOUT).map(TurnEnd::of).orElseGet(() -> {
            if (last.kind() == TurnDelta.Kind.ERROR) {
                return new TurnEnd.Failed(ProtocolException.Failure.of(ErrorCategory.UNKNOWN, last.text()), null);
            }
            return last.state() == TurnState.CANCELLED ? new TurnEnd.Cancelled("", null) : new TurnEnd.Completed(null);
        });
    }

    private TurnEnd end(Outcome.Finished finished, Listener listener) throws InterruptedException {
        if (finished.state() == TurnState.COMPLETED) {
            told(
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
    private TurnEnd withoutDeltas(Duration left, Listener listener) throws InterruptedException {
        Optional<Outcome.Finished> finished = turn.finished(least(left, OUTCOME_TIMEOUT));
        return finished.isPresent() ? end(finished.get(), listener) : new TurnEnd.Open(approval);
    }
}
