package dev.parley.platform.collection;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts events by key within a time window, which begins with the first event of the key and expires as a whole.
 * Beyond the maximum number of keys the oldest ones are evicted.
 */
public final class RecentCounts {
    private final long window;
    private final LongSupplier nanos;
    private final Map<String, Count> counts;

    private record Count(long since, int times) {}

    /**
     * @param window length of the time window
     * @param maxKeys maximum number of keys
     */
    public RecentCounts(Duration window, int maxKeys) {
        this(window, maxKeys, System::nanoTime);
    }

    RecentCounts(Duration window, int maxKeys, LongSupplier nanos) {
        this.window = window.toNanos();
        this.nanos = nanos;
        this.counts = new BoundedMap<>(maxKeys);
    }

    /** Counts an event; returns the new count. */
    public synchronized int add(String key) {
        Count before = current(key);
        Count now = before == null ? new Count(nanos.getAsLong(), 1) : new Count(before.since(), before.times() + 1);
        counts.put(key, now);
        return now.times();
    }

    /** The count of a key. */
    public synchronized int of(String key) {
        Count count = current(key);
        return count == null ? 0 : count.times();
    }

    private @Nullable Count current(String key) {
        Count count = counts.get(key);
        return count == null || nanos.getAsLong() - count.since() > window ? null : count;
    }

    /** Resets the count of a key. */
    public synchronized void reset(String key) {
        counts.remove(key);
    }
}
