package dev.parley.channels.web;

import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Deltas and outcome of one turn, for one thread. */
public interface TurnFeed {
    /**
     * The next delta of this turn; empty when none arrived in time.
     *
     * @throws dev.parley.platform.http.EventStream.EndedException when there will be none: the server stops, or old
     *     ones cannot be read
     */
    Optional<TurnDelta> next(Duration timeout) throws InterruptedException;

    /** Passes on the deltas that have already arrived. */
    default void drain(Consumer<TurnDelta> listener) throws InterruptedException {
        for (Optional<TurnDelta> next = next(Duration.ZERO); next.isPresent(); next = next(Duration.ZERO)) {
            listener.accept(next.get());
        }
    }

    /** The end of the turn; empty when it has not ended by then. */
    Optional<Outcome.Finished> awaitEnd(Duration timeout) throws InterruptedException;

    /** The pending calls and approvals of the turn; none where they are unknown. */
    default Pending pending() {
        return Pending.NOTHING;
    }

    /**
     * The pending calls and approvals of a turn.
     *
     * @param calls of tools of its caller
     * @param approvals of people
     * @param usage of the turn so far, or null where it is unknown
     */
    record Pending(
            List<CallerCall> calls,
            List<PendingApproval> approvals,
            @Nullable Usage usage) {
        static final Pending NOTHING = new Pending(List.of(), List.of(), null);

        public Pending {
            calls = List.copyOf(calls);
            approvals = List.copyOf(approvals);
        }
    }
}
