package dev.parley.language.time;

import java.time.Instant;

/**
 * A period of time. A moment is a period that ends when it starts.
 *
 * @param from start
 * @param to end, not before the start
 */
public record TimeSpan(Instant from, Instant to) {
    /** @throws IllegalArgumentException if it ends before it starts */
    public TimeSpan {
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a time cannot end at " + to + " before it begins at " + from);
        }
    }

    /** Whether the two have a moment in common. */
    public boolean overlaps(TimeSpan other) {
        return !from.isAfter(other.to) && !other.from.isAfter(to);
    }
}
