package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.http.Caller;
import java.time.Duration;
import java.util.Optional;

/**
 * The visibility of the deltas of a session for a caller. Deltas of the caller's own session are visible once the
 * ownership is known; a session that does not exist yet has no owner, so its deltas stay hidden until its first turn
 * names the owner. Every turn names the owner at its start: where it is another one, the deltas are hidden from then on.
 */
final class Visibility {
    private static final long RECHECK_INTERVAL = Duration.ofSeconds(1).toNanos();

    private final Caller caller;
    private final RecordKey session;
    private final boolean readsAll;
    private boolean open;
    private boolean over;
    private long checkedNanos = System.nanoTime();

    /**
     * @param readsAll whether it is visible because the caller may read all sessions, which is rechecked
     * @param isOwn whether the session is known to be the caller's own
     */
    Visibility(Caller caller, RecordKey session, boolean readsAll, boolean isOwn) {
        this.caller = caller;
        this.session = session;
        this.readsAll = readsAll;
        this.open = readsAll || isOwn;
    }

    /** Whether the caller may see this delta. */
    boolean sees(PositionedDelta delta) {
        TurnDelta turnDelta = delta.delta();
        if (!readsAll && turnDelta.kind() == TurnDelta.Kind.STARTED) {
            open = caller.user().equals(turnDelta.owner()); // the key may have another owner than before
        }
        return open && !isOver();
    }

    /** Whether the caller lost access: the key expired, or the project is no longer visible. */
    boolean isOver() {
        long now = System.nanoTime();
        if (!over && now - checkedNanos > RECHECK_INTERVAL) {
            checkedNanos = now;
            Optional<Caller> refreshed = caller.refresh();
            over = refreshed
                    .filter(current -> current.reads(session.project()))
                    .filter(current -> !readsAll || current.readsAll(session.project()))
                    .isEmpty();
        }
        return over;
    }
}
