package dev.parley.domain.budget;

import org.jspecify.annotations.Nullable;

/**
 * How much may be spent.
 *
 * @param nanos most billionths of a US dollar in a period, or null for any cost
 * @param tokens most tokens in a period, in and out, or null for any number
 * @param turnsPerMinute most turns that are taken in in a minute, or null for any number
 */
public record Budget(
        @Nullable Long nanos,
        @Nullable Long tokens,
        Period period,
        @Nullable Integer turnsPerMinute) {
    public Budget {
        if (isNegative(nanos) || isNegative(tokens) || (turnsPerMinute != null && turnsPerMinute < 1)) {
            throw new IllegalArgumentException("a budget is not negative, and lets a turn a minute through");
        }
    }

    private static boolean isNegative(@Nullable Long limit) {
        return limit != null && limit < 0;
    }

    /** Whether it bounds what model calls use. */
    public boolean boundsCalls() {
        return nanos != null || tokens != null;
    }
}
