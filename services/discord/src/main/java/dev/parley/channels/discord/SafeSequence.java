package dev.parley.channels.discord;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The sequence number up to which the events of a gateway session are durable. Only that is reported to Discord, so
 * later events are resent when the session is resumed.
 */
final class SafeSequence {
    private final TreeSet<Long> open = new TreeSet<>();
    private Optional<Long> last = Optional.empty();
    private int session;

    /**
     * An event was received.
     *
     * @return run once it is durable
     */
    synchronized Runnable begin(long event) {
        int startSession = session;
        open.add(event);
        last = Optional.of(Math.max(event, last.orElse(event)));
        return () -> complete(startSession, event);
    }

    private synchronized void complete(int startSession, long event) {
        if (startSession == session) {
            open.remove(event);
        }
    }

    /** The number of events that are not durable. */
    synchronized int waiting() {
        return open.size();
    }

    /** The last event that is durable together with all before it; empty for none. */
    synchronized OptionalLong safe() {
        if (!open.isEmpty()) {
            return OptionalLong.of(open.first() - 1);
        }
        return last.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    /** A new session begins. */
    synchronized void restart() {
        session++;
        open.clear();
        last = Optional.empty();
    }

    /** Events that are not durable will be resent. */
    synchronized void forget() {
        OptionalLong safe = safe();
        session++;
        open.clear();
        last = safe.isPresent() ? Optional.of(safe.getAsLong()) : Optional.empty();
    }
}
