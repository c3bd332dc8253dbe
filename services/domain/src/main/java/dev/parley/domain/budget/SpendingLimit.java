package dev.parley.domain.budget;

import org.jspecify.annotations.Nullable;

/**
 * A spending limit.
 *
 * @param nanos maximum billionths of a US dollar per period, or null for no limit
 * @param tokens maximum tokens per period, input and output, or null for no limit
 * @param turnsPerMinute maximum accepted turns per minute, or null for no limit
 */
public record SpendingLimit(
        @Nullable Long nanos,
        @Nullable Long tokens,
        Period period,
        @Nullable Integer turnsPerMinute) {
    public SpendingLimit {
        if (isNegative(nanos) || isNegative(tokens) || (turnsPerMinute != null && turnsPerMinute < 1)) {
            throw new IllegalArgumentException("a budget is not negative, and lets a turn a minute through");
        }
    }

    private static boolean isNegative(@Nullable Long limit) {
        return limit != null && limit < 0;
    }

    /** Whether the budget limits the usage of model calls. */
    public boolean boundsCalls() {
        return nanos != null || tokens != null;
    }
}
