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

/** Follows a turn to its end, until it waits for its caller, or as long as somebody waits for it. */
public final class TurnFollower {
    /** How long a client hears nothing at the most: less than what stands between it and the server allows. */
    public static final Duration SILENCE = Duration.ofSeconds(15);

    /** How long a stream goes on at the most. */
    public static final Duration LONGEST = Duration.ofHours(1);

    /** Deltas are best effort: how long after a turn's end its last one is waited for. */
    private static final Duration LATE = Duration.ofSeconds(2);
    /** The same where none came at all: the turn has ended long ago. */
    private static final Duration PAST = Duration.ofMillis(400);

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration OUTCOME = Duration.ofSeconds(5);

    private final TurnFeed turn;
    private final Duration silence;
    private boolean heard;
    private boolean calls;
    private boolean looked;
    private @Nullable String approval;
    private long heardNanos = System.nanoTime();
    private long spokenNanos = System.nanoTime();

    /** Whoever hears it. */
    public interface Listener {
        /**
         * Something happened in it. The last delta has the whole reply, also where no other one was heard.
         *
         * @return whether the client was told something
         */
        boolean heard(TurnDelta delta) throws InterruptedException;

        /** These approvals are pending, one at least, and no delta has said so: they were asked for before this instance was there. */
        default void asked(List<PendingApproval> asked) throws InterruptedException {}

        /** Nothing is said, but it goes on. */
        void silent() throws InterruptedException;

        /** How long nothing has to come until no more is waited for; empty for as long as it takes. */
        default Optional<Duration> patience() {
            return Optional.empty();
        }
    }

    /** @param silence how long nothing is heard at the most */
    public TurnFollower(TurnFeed turn, Duration silence) {
        this.turn = turn;
        this.silence = silence;
    }

    /** @param most how long it is waited for */
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
                looked = true;
                TurnFeed.Pending pending = turn.pending();
                if (!pending.calls().isEmpty()) {
                    return new TurnEnd.Called(pending.calls());
                }
                if (!heard && !pending.approvals().isEmpty()) {
                    approval = pending.approvals().getLast().approvalId().toString();
                    listener.asked(pending.approvals());
                }
            }
            if (silent) {
                speak();
                listener.silent();
            }
        }
    }

    /**
     * Whether the turn may wait for its caller: deltas say so; and where there are none at all, it may have done so before this
     * instance heard of it.
     */
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
        Duration most = least(LOOK, silence.minusNanos(now - spokenNanos));
        Duration patience = listener.patience().orElse(LOOK).minusNanos(now - heardNanos);
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

    /** The last delta was told; what the turn used is known a moment before or after. */
    private TurnEnd end(TurnDelta last) throws InterruptedException {
        return turn.finished(OUTCOME).map(TurnEnd::of).orElseGet(() -> {
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

    /** The server stops, or old deltas cannot be read: what is left is how it ends. */
    private TurnEnd withoutDeltas(Duration left, Listener listener) throws InterruptedException {
        Optional<Outcome.Finished> finished = turn.finished(least(left, OUTCOME));
        return finished.isPresent() ? end(finished.get(), listener) : new TurnEnd.Open(approval);
    }
}
