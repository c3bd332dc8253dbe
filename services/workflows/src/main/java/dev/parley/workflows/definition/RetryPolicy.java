package dev.parley.workflows.definition;

import dev.parley.workflows.expression.Expression;
import org.jspecify.annotations.Nullable;

/**
 * Retry policy of a failed task.
 *
 * @param when null for always
 * @param exceptWhen null for never
 * @param delay before the first retry; null for none
 * @param backoff growth of the delays
 * @param jitterFrom minimum jitter; null for none
 * @param jitterTo maximum jitter
 * @param attempts maximum number of retries; 0 for no limit
 * @param attemptTimeout limit of one attempt
 * @param total limit of all attempts together
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
    /** Growth of the delays. */
    public enum Backoff {
        /** Constant delays. */
        CONSTANT,
        /** Delays grow by the initial delay. */
        LINEAR,
        /** Each delay is twice the one before. */
        EXPONENTIAL
    }
}
