package dev.parley.domain.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Tokens and money. Cached tokens are part of {@code input}, reasoning tokens part of {@code output}: never add them again.
 *
 * @param costNanos billionths of a US dollar, or null where the price is not known: unknown is not zero
 */
public record Usage(
        long input,
        long output,
        long reasoning,
        long cacheRead,
        long cacheWrite,
        @Nullable Long costNanos) {
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0L);

    /** The sum; its cost is unknown when either cost is. */
    public Usage plus(Usage other) {
        Long a = costNanos;
        Long b = other.costNanos;
        return new Usage(
                input + other.input,
                output + other.output,
                reasoning + other.reasoning,
                cacheRead + other.cacheRead,
                cacheWrite + other.cacheWrite,
                a == null || b == null ? null : a + b);
    }

    /** Tokens in and out. */
    public long tokens() {
        return input + output;
    }
}
