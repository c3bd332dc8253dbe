package dev.parley.platform.streams;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The time at which each session or bank is due. Each has one timer, which is never postponed: the machine may find
 * nothing to do then. Timers are not stored, since they follow from the states.
 */
public final class Timers {
    private record Timer(Instant due, RecordKey key) {}

    private final Map<RecordKey, Instant> armed = new HashMap<>();
    /** Holds those of {@link #armed}, and some that an earlier one has taken the place of. */
    private final PriorityQueue<Timer> queue = new PriorityQueue<>(Comparator.comparing(Timer::due));

    /** Sets the timer of a key, unless it goes off earlier anyway. */
    public void arm(RecordKey key, Instant due) {
        Instant before = armed.get(key);
        if (before == null || due.isBefore(before)) {
            armed.put(key, due);
            queue.add(new Timer(due, key));
        }
    }

    /** Takes out at most {@code most} keys whose timer is due. */
    public List<RecordKey> takeDue(Instant now, int most) {
        var due = new ArrayList<RecordKey>();
        while (due.size() < most && !queue.isEmpty() && !queue.peek().due().isAfter(now)) {
            Timer timer = queue.remove();
            if (armed.remove(timer.key(), timer.due())) {
                due.add(timer.key());
            }
        }
        return due;
    }
}
