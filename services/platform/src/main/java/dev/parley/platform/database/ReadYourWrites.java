package dev.parley.platform.database;

import dev.parley.platform.kafka.TopicEnds;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Read-your-writes consistency for views, which follow the events with a short delay. */
public final class ReadYourWrites implements AutoCloseable {
    /** How long views that are behind are waited for; after that, what they do not show does not exist. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

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
        var last = new AtomicReference<>(found);
        poll(TIMEOUT, () -> {
            last.set(read.get());
            return last.get().isPresent();
        });
        return last.get();
    }

    /** Returns when the views show all that happened before, or after two seconds. */
    public void await() {
        await(TIMEOUT);
    }

    /** Returns when the views show all that happened before, or after so long. @return whether they do */
    public boolean await(Duration timeout) {
        return poll(timeout, () -> false);
    }

    /** Polls the offsets, with growing pauses, until the views show all events or there is nothing more to wait for. */
    private boolean poll(Duration timeout, BooleanSupplier isEnough) {
        Map<Integer, Long> ends = ends();
        long deadline = System.nanoTime() + timeout.toNanos();
        for (long pause = FIRST_PAUSE_MILLIS; true; pause = Math.min(pause * 2, MAX_PAUSE_MILLIS)) {
            boolean shown = show(ends);
            boolean last = shown || System.nanoTime() > deadline;
            if (!last) {
                last = !pause(pause);
            }
            if (isEnough.getAsBoolean() || last) {
                return shown;
            }
        }
    }

    /** @return false when the thread was interrupted */
    private static boolean pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        return !Thread.currentThread().isInterrupted();
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
