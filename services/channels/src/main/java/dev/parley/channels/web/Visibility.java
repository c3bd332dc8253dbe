package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.platform.http.Caller;
import java.time.Duration;
import java.util.Optional;

/**
 * What a caller may see of a session's deltas. Those of one's own session are open as soon as it is known to be one's own; a
 * session that does not exist yet is nobody's, so its deltas stay hidden until its first turn says whose it is.
 */
final class Visibility {
    private static final long LOOK = Duration.ofSeconds(1).toNanos();

    private final Caller caller;
    private final RecordKey session;
    private final boolean all;
    private boolean open;
    private boolean over;
    private long looked = System.nanoTime();

    /**
     * @param all whether it is open because the caller may read everybody's sessions, for as long as that is so
     * @param own whether it is known to be the caller's own
     */
    Visibility(Caller caller, RecordKey session, boolean all, boolean own) {
        this.caller = caller;
        this.session = session;
        this.all = all && !own;
        this.open = all || own;
    }

    /** Whether the caller may see this. */
    boolean sees(Delta delta) {
        TurnDelta said = delta.delta();
        if (!open && said.kind() == TurnDelta.Kind.STARTED && caller.user().equals(said.owner())) {
            open = true;
        }
        return open && !isOver();
    }

    /** Whether the caller may see nothing any more: the key has ended, or the project is none of theirs now. */
    boolean isOver() {
        long now = System.nanoTime();
        if (!over && now - looked > LOOK) {
            looked = now;
            Optional<Caller> still = caller.refreshed();
            over = still.filter(one -> one.reads(session.project()))
                    .filter(one -> !all || one.readsAll(session.project()))
                    .isEmpty();
        }
        return over;
    }
}
