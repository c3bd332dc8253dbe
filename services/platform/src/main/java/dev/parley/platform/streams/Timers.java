package dev.parley.platform.streams;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * One timer for each session or bank. A timer is never postponed: the machine may have nothing to do when it fires.
 * Timers are not stored, since they follow from the states.
 */
public final class Timers {
    private record Timer(Instant due, RecordKey key) {}

    private final Map<RecordKey, Instant> armed = new HashMap<>();
    /** The timers of {@link #armed}, and some that an earlier timer has replaced. */
    private final PriorityQueue<Timer> queue = new PriorityQueue<>(Comparator.comparing(Timer::due));

    /** Sets the timer of a key, unless it fires earlier. */
    public void arm(RecordKey key, Instant due) {
        Instant before = armed.get(key);
        if (before == null || due.isBefore(before)) {
            armed.put(key, due);
            queue.add(new Timer(due, key));
        }
    }

    /** When the next timer is due, or an earlier time; null without timers. */
    @Nullable
    Instant next() {
        Timer first = queue.peek();
        return first == null ? null : first.due();
    }

    /**
     * Removes and returns keys whose timer is due.
     *
     * @param limit maximum count
     */
    public List<RecordKey> takeDue(Instant now, int limit) {
        var due = new ArrayList<RecordKey>();
        while (due.size() < limit && !queue.isEmpty() && !queue.peek().due().isAfter(now)) {
            Timer timer = queue.remove();
            if (armed.remove(timer.key(), timer.due())) {
                due.add(timer.key());
            }
        }
        return due;
    }
}
