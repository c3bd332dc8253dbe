package dev.parley.channels.discord;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Up to where the events of a gateway's session are safe. That, and not what has merely come, is what Discord is told: whatever comes after
 * it comes again when the session is resumed.
 */
final class SafeSequence {
    private final TreeSet<Long> open = new TreeSet<>();
    private Optional<Long> last = Optional.empty();
    private int session;

    /** An event has come. @return to be run when it is safe */
    synchronized Runnable begin(long event) {
        int of = session;
        open.add(event);
        last = Optional.of(Math.max(event, last.orElse(event)));
        return () -> done(of, event);
    }

    private synchronized void done(int of, long event) {
        if (of == session) {
            open.remove(event);
        }
    }

    /** How many events are not safe. */
    synchronized int waiting() {
        return open.size();
    }

    /** The number of the last event that is safe, with all before it; empty where there is none. */
    synchronized OptionalLong safe() {
        if (!open.isEmpty()) {
            return OptionalLong.of(open.first() - 1);
        }
        return last.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    /** Another session begins, with numbers of its own. */
    synchronized void restart() {
        session++;
        open.clear();
        last = Optional.empty();
    }

    /** What is not safe yet comes again. */
    synchronized void forget() {
        OptionalLong safe = safe();
        session++;
        open.clear();
        last = safe.isPresent() ? Optional.of(safe.getAsLong()) : Optional.empty();
    }
}
