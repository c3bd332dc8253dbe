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
    /** Longest wait for stale views; after it, a missing row counts as absent. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final long FIRST_PAUSE_MILLIS = 5;
    private static final long MAX_PAUSE_MILLIS = 80;

    private final Database database;
    private final TopicEnds events;
    private final String offsets;

    /** @param offsets the table of the watermarks of the views: {@code topic}, {@code partition}, {@code "offset"} */
    public ReadYourWrites(Database database, TopicEnds events, String offsets) {
        this.database = database;
        this.events = events;
        this.offsets = offsets;
    }

    /** Repeats a read until it finds something or the views contain all events before this call. */
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

    /** Waits until the views contain all earlier events, at most 2 s. */
    public void await() {
        await(TIMEOUT);
    }

    /** Waits until the views contain all earlier events; returns false after the timeout. */
    public boolean await(Duration timeout) {
        return poll(timeout, () -> false);
    }

    /** Polls the watermarks with growing pauses, until the views contain all events or the condition holds. */
    private boolean poll(Duration timeout, BooleanSupplier isEnough) {
        Map<Integer, Long> ends = ends();
        long deadline = System.nanoTime() + timeout.toNanos();
        for (long pause = FIRST_PAUSE_MILLIS; true; pause = Math.min(pause * 2, MAX_PAUSE_MILLIS)) {
            boolean complete = contain(ends);
            boolean last = complete || System.nanoTime() > deadline;
            if (!last) {
                last = !pause(pause);
            }
            if (isEnough.getAsBoolean() || last) {
                return complete;
            }
        }
    }

    /** @return false if the thread was interrupted */
    private static boolean pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        return !Thread.currentThread().isInterrupted();
    }

    /** End offsets of the events by partition; empty if the brokers do not answer. */
    private Map<Integer, Long> ends() {
        try {
            return events.now();
        } catch (IllegalStateException e) {
            return Map.of();
        }
    }

    /** Whether the views contain all events before these offsets. */
    private boolean contain(Map<Integer, Long> ends) {
        if (ends.isEmpty()) {
            return false;
        }
        Map<Integer, Long> watermarks = new Sql(database)
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
        return ends.entrySet().stream().allMatch(end -> watermarks.getOrDefault(end.getKey(), 0L) >= end.getValue());
    }

    @Override
    public void close() {
        events.close();
    }
}
