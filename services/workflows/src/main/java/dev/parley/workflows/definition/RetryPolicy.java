package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Expression;
import org.jspecify.annotations.Nullable;

/**
 * How a failed task is tried again.
 *
 * @param when null always
 * @param exceptWhen null never
 * @param delay before the first retry; null none
 * @param backoff how the delays grow
 * @param jitterFrom least that is added to a delay; null nothing
 * @param jitterTo most that is added to a delay
 * @param attempts most retries; 0 has no limit
 * @param attemptTimeout how long one attempt may take
 * @param total how long all may take together
 */
public record RetryPolicy(
        @Nullable Expression when,
        @Nullable Expression exceptWhen,
        @Nullable DurationExpression delay,
        Backoff backoff,
        @Nullable DurationExpression jitterFrom,
        @Nullable DurationExpression jitterTo,
        int attempts,
        @Nullable DurationExpression attemptTimeout,
        @Nullable DurationExpression total) {
    /** How delays grow. */
    public enum Backoff {
        /** All are the same. */
        CONSTANT,
        /** The delay, twice the delay, three times. */
        LINEAR,
        /** Each is twice the one before. */
        EXPONENTIAL
    }
}
