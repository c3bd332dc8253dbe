package dev.parley.server.canary;

import java.time.Duration;

/** A deadline on the clock of {@link System#nanoTime}. */
record Deadline(long nanos) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    boolean isOver() {
        return System.nanoTime() - nanos >= 0;
    }

    /** The time left, at most {@code max} and more than zero. */
    Duration remaining(Duration max) {
        long remaining = Math.max(1_000_000, nanos - System.nanoTime());
        return remaining < max.toNanos() ? Duration.ofNanos(remaining) : max;
    }
}
