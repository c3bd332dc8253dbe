package dev.parley.language.time;

import java.time.Instant;

/**
 * A time that something took, or a time that is asked for. A moment is a span that ends when it begins.
 *
 * @param from its beginning
 * @param to its end, not before its beginning
 */
public record TimeSpan(Instant from, Instant to) {
    /** @throws IllegalArgumentException where it would end before it begins */
    public TimeSpan {
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a time cannot end at " + to + " before it begins at " + from);
        }
    }

    /** Whether some moment belongs to both. */
    public boolean overlaps(TimeSpan other) {
        return !from.isAfter(other.to) && !other.from.isAfter(to);
    }
}
