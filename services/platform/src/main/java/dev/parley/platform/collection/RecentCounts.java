package dev.parley.platform.collection;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts events by key within a time window, which begins with the first event of the key and expires as a whole.
 * The oldest keys are evicted when there are too many.
 */
public final class RecentCounts {
    private final long window;
    private final LongSupplier nanos;
    private final Map<String, Count> counts;

    private record Count(long since, int times) {}

    /**
     * @param window how long something counts
     * @param most of those to whom it happened that are remembered
     */
    public RecentCounts(Duration window, int most) {
        this(window, most, System::nanoTime);
    }

    RecentCounts(Duration window, int most, LongSupplier nanos) {
        this.window = window.toNanos();
        this.nanos = nanos;
        this.counts = new NewestMap<>(most);
    }

    /** It happens once more. @return how often it has, with this time */
    public synchronized int add(String who) {
        Count before = current(who);
        Count now = before == null ? new Count(nanos.getAsLong(), 1) : new Count(before.since(), before.times() + 1);
        counts.put(who, now);
        return now.times();
    }

    /** How often it has happened. */
    public synchronized int of(String who) {
        Count count = current(who);
        return count == null ? 0 : count.times();
    }

    private @Nullable Count current(String who) {
        Count count = counts.get(who);
        return count == null || nanos.getAsLong() - count.since() > window ? null : count;
    }

    /** It has not happened. */
    public synchronized void forget(String who) {
        counts.remove(who);
    }
}
