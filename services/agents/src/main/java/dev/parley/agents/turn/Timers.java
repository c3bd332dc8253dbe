package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * When each session has to be looked at again. A session has one timer, and it is never put off: the machine may find
 * nothing to do then. Timers are not stored, as the sessions say when they are due.
 */
final class Timers {
    private record Timer(Instant due, RecordKey key) {}

    private final Map<RecordKey, Instant> armed = new HashMap<>();
    /** Holds those of {@link #armed}, and some that an earlier one has taken the place of. */
    private final PriorityQueue<Timer> queue = new PriorityQueue<>(Comparator.comparing(Timer::due));

    /** Sets a session's timer, unless it goes off earlier anyway. */
    void arm(RecordKey key, Instant due) {
        Instant before = armed.get(key);
        if (before == null || due.isBefore(before)) {
            armed.put(key, due);
            queue.add(new Timer(due, key));
        }
    }

    /** Takes out at most {@code most} sessions whose timer is due. */
    List<RecordKey> takeDue(Instant now, int most) {
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
