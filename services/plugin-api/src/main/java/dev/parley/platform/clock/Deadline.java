package dev.parley.platform.clock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * A moment until which this process waits, on a clock that goes forward evenly: setting the clock of the machine moves
 * no deadline. Other processes and tables have an {@link Instant} instead, from which a deadline is taken once, when
 * the work begins here.
 */
public final class Deadline {
    /** A deadline that does not pass. */
    public static final Deadline NEVER = in(Duration.ofDays(36_500));

    private final long nanos;

    private Deadline(long nanos) {
        this.nanos = nanos;
    }

    /** After this time, of at most 100 years. */
    public static Deadline in(Duration time) {
        boolean fits = time.abs().compareTo(Duration.ofDays(36_500)) <= 0;
        return fits ? new Deadline(System.nanoTime() + time.toNanos()) : time.isNegative() ? in(Duration.ZERO) : NEVER;
    }

    /** At a time of the machine's clock as it is set now. */
    public static Deadline at(Instant time) {
        return at(time, Clock.systemUTC());
    }

    /** At a time of a clock as it is set now. */
    public static Deadline at(Instant time, Clock clock) {
        return in(Duration.between(clock.instant(), time));
    }

    /** The earlier of this deadline and one after {@code time}. */
    public Deadline within(Duration time) {
        Deadline other = in(time);
        return other.nanos - nanos < 0 ? other : this;
    }

    /** Whether it has passed. */
    public boolean passed() {
        return nanosLeft() <= 0;
    }

    /** The time left for a wait: at least a millisecond, as no time means without an end to many clients. */
    public Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, nanosLeft()));
    }

    /** The time left for a wait of at most {@code max}, and at least a millisecond. */
    public Duration left(Duration max) {
        Duration left = left();
        return left.compareTo(max) < 0 ? left : max;
    }

    /** The nanoseconds left; negative once it has passed. */
    public long nanosLeft() {
        return nanos - System.nanoTime();
    }

    /** About the same time on the machine's clock as it is set now, for other processes. */
    public Instant instant() {
        return Instant.now().plusNanos(nanosLeft());
    }
}
