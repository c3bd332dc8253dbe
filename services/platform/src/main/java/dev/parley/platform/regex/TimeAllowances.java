package dev.parley.platform.regex;

import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How long what people of a project have written may keep others waiting: a decision has {@link #FREE}, and draws on the project's
 * allowance beyond that. An allowance holds {@link #MOST} and grows by a {@value #SHARE}th of the time that passes. For one thread.
 */
public final class TimeAllowances {
    /** What each decision has. A pattern for card numbers takes 1 ms for 100,000 characters. */
    static final Duration FREE = Duration.ofMillis(5);

    /** What a decision may take beyond that, of a project that was fast for long enough. */
    static final Duration MOST = Duration.ofSeconds(1);

    private static final int SHARE = 20;
    private static final int PROJECTS = 1_000;

    private final Map<String, Allowance> allowances = new BoundedMap<>(PROJECTS);
    private final LongSupplier clock;

    public TimeAllowances() {
        this(System::nanoTime);
    }

    /** @param clock nanoseconds since some moment */
    TimeAllowances(LongSupplier clock) {
        this.clock = clock;
    }

    /** Nanoseconds that a project may draw on, as of a moment. */
    private record Allowance(long nanos, long at) {
        Allowance now(long now) {
            return new Allowance(Math.min(MOST.toNanos(), nanos + (now - at) / SHARE), now);
        }
    }

    /** What a decision about something of this project may take. */
    public Decision decision(String project) {
        long now = clock.getAsLong();
        return new Decision(
                project,
                allowances
                        .getOrDefault(project, new Allowance(MOST.toNanos(), now))
                        .now(now));
    }

    /** The time of one decision. */
    public final class Decision {
        private final String project;
        private Allowance allowance;
        private long free = FREE.toNanos();

        private Decision(String project, Allowance allowance) {
            this.project = project;
            this.allowance = allowance;
        }

        /** Nanoseconds that it has left. */
        public long left() {
            return free + allowance.nanos();
        }

        /** It took so many nanoseconds. */
        public void took(long nanos) {
            long drawn = Math.max(0, nanos - free);
            free = Math.max(0, free - nanos);
            if (drawn > 0) {
                allowance = new Allowance(Math.max(0, allowance.nanos() - drawn), allowance.at() + nanos);
                allowances.put(project, allowance);
            }
        }
    }
}
