package dev.parley.platform.regex;

import dev.parley.platform.collection.BoundedMap;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Bounds the time of user-defined checks by project: a decision has {@link #FREE}, and beyond that draws on the
 * allowance of its project, which holds {@link #MOST} and grows by a {@value #SHARE}th of the elapsed time. Not
 * thread-safe.
 */
public final class TimeAllowances {
    /** Time of each decision. A pattern for card numbers takes 1 ms for 100,000 characters. */
    static final Duration FREE = Duration.ofMillis(5);

    /** Maximum allowance of a project. */
    static final Duration MOST = Duration.ofSeconds(1);

    private static final int SHARE = 20;
    private static final int MAX_PROJECTS = 1_000;

    private final Map<String, Allowance> allowances = new BoundedMap<>(MAX_PROJECTS);
    private final LongSupplier clock;

    public TimeAllowances() {
        this(System::nanoTime);
    }

    /** @param clock in nanoseconds */
    TimeAllowances(LongSupplier clock) {
        this.clock = clock;
    }

    /** Remaining nanoseconds of a project at a time. */
    private record Allowance(long nanos, long at) {
        Allowance now(long now) {
            return new Allowance(Math.min(MOST.toNanos(), nanos + (now - at) / SHARE), now);
        }
    }

    /** Starts a decision about data of a project. */
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

        /** Remaining nanoseconds. */
        public long remainingNanos() {
            return free + allowance.nanos();
        }

        /** Records elapsed nanoseconds. */
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
