package dev.parley.server.canary;

import java.time.Duration;

/** A moment of {@link System#nanoTime}. */
record Deadline(long nanos) {
    static Deadline in(Duration time) {
        return new Deadline(System.nanoTime() + time.toNanos());
    }

    boolean isOver() {
        return System.nanoTime() - nanos >= 0;
    }

    /** How long it is until then, at most so long and never nothing. */
    Duration left(Duration most) {
        long left = Math.max(1_000_000, nanos - System.nanoTime());
        return left < most.toNanos() ? Duration.ofNanos(left) : most;
    }
}
