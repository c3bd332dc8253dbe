package dev.parley.platform.database;

import dev.parley.platform.kafka.TopicEnds;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether views show what happened before: they follow the events by a moment. */
public final class ReadYourWrites implements AutoCloseable {
    /** How long views that are behind are waited for; after that, what they do not show does not exist. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long MAX_PAUSE_MILLIS = 80;

    private final Database database;
    private final TopicEnds events;
    private final String offsets;

    /** @param offsets the table that says how far the views are: {@code topic}, {@code partition}, {@code "offset"} */
    public ReadYourWrites(Database database, TopicEnds events, String offsets) {
        this.database = database;
        this.events = events;
        this.offsets = offsets;
    }

    /** What a read finds as soon as the views show all that happened before it was asked. */
    public <T> Optional<T> eventually(Supplier<Optional<T>> read) {
        Optional<T> found = read.get();
        if (found.isPresent()) {
            return found;
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Map<Integer, Long> ends = ends();
        long pause = FIRST_PAUSE_MILLIS;
        boolean last = false;
        while (found.isEmpty() && !last) {
            last = show(ends) || System.nanoTime() > deadline;
            if (!last) {
                pause(pause);
                pause = Math.min(pause * 2, MAX_PAUSE_MILLIS);
                last = Thread.currentThread().isInterrupted();
            }
            found = read.get();
        }
        return found;
    }

    /** Returns when the views show all that happened before, or after two seconds. */
    public void await() {
        await(PATIENCE);
    }

    /** Returns when the views show all that happened before, or after so long. @return whether they do */
    public boolean await(Duration patience) {
        Map<Integer, Long> ends = ends();
        long deadline = System.nanoTime() + patience.toNanos();
        long pause = FIRST_PAUSE_MILLIS;
        boolean shown = show(ends);
        while (!shown
                && System.nanoTime() <= deadline
                && !Thread.currentThread().isInterrupted()) {
            pause(pause);
            pause = Math.min(pause * 2, MAX_PAUSE_MILLIS);
            shown = show(ends);
        }
        return shown;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where the events end by partition; empty where that cannot be asked now. */
    private Map<Integer, Long> ends() {
        try {
            return events.now();
        } catch (IllegalStateException e) {
            return Map.of();
        }
    }

    /** Whether the views show all events before these offsets. */
    private boolean show(Map<Integer, Long> ends) {
        if (ends.isEmpty()) {
            return false;
        }
        Map<Integer, Long> shown = new Sql(database)
                .as(Tenant.NONE)
                .query(
                        "SELECT partition, \"offset\" FROM " + offsets + " WHERE topic = ?",
                        row -> {
                            var found = new HashMap<Integer, Long>();
                            while (row.next()) {
                                found.put(row.getInt(1), row.getLong(2));
                            }
                            return found;
                        },
                        events.topic());
        return ends.entrySet().stream().allMatch(end -> shown.getOrDefault(end.getKey(), 0L) >= end.getValue());
    }

    @Override
    public void close() {
        events.close();
    }
}
