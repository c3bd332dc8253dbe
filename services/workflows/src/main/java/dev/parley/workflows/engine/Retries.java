package dev.parley.workflows.engine;

import dev.parley.workflows.definition.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;

/** Times of the retries of a task by its policy. */
record Retries(TaskRun run, RetryPolicy policy) {
    private static final Duration MAX_DELAY = Duration.ofDays(30);

    /**
     * The time of a retry, or empty for none.
     *
     * @param retry its number, from 1
     * @param since the first failure or attempt
     */
    Optional<Instant> next(int retry, Instant since, WorkflowError error) {
        Retries retries = new Retries(withError(error), policy);
        if (retries.isRefused() || policy.attempts() > 0 && retry > policy.attempts()) {
            return Optional.empty();
        }
        Instant time = run.draft().now().plus(retries.delay(retry));
        boolean tooLate = policy.total() != null && time.isAfter(since.plus(retries.run.duration(policy.total())));
        return tooLate ? Optional.empty() : Optional.of(time);
    }

    /** The run with the error as a variable, unless a handler has named it already. */
    private TaskRun withError(WorkflowError error) {
        return run.locals().variables().containsValue(error.toJson())
                ? run
                : run.with(run.locals().with("error", error.toJson()));
    }

    private boolean isRefused() {
        return policy.when() != null && !run.isTrue(policy.when())
                || policy.exceptWhen() != null && run.isTrue(policy.exceptWhen());
    }

    private Duration delay(int retry) {
        Duration delay = policy.delay() == null ? Duration.ZERO : run.duration(policy.delay());
        long times = switch (policy.backoff()) {
            case CONSTANT -> 1;
            case LINEAR -> retry;
            case EXPONENTIAL -> 1L << Math.min(retry - 1, 40);
        };
        boolean exceedsMax = delay.toMillis() > MAX_DELAY.toMillis() / times;
        return (exceedsMax ? MAX_DELAY : delay.multipliedBy(times)).plusMillis(jitter(retry));
    }

    private long jitter(int retry) {
        if (policy.jitterFrom() == null || policy.jitterTo() == null) {
            return 0;
        }
        long from = run.duration(policy.jitterFrom()).toMillis();
        long to = Math.max(from, run.duration(policy.jitterTo()).toMillis());
        // seeded by the attempt, so that a repeated decision is the same
        var random = new Random((run.draft().id() + run.frame().order() + retry).hashCode());
        return from + (long) (random.nextDouble() * (to - from));
    }
}
