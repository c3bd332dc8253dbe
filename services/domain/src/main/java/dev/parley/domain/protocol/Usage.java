package dev.parley.domain.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Token counts and cost. Cached tokens are included in {@code input}, reasoning tokens in {@code output}: do not add
 * them again.
 *
 * @param costNanos billionths of a US dollar, or null if the price is unknown
 */
public record Usage(
        long input,
        long output,
        long reasoning,
        long cacheRead,
        long cacheWrite,
        @Nullable Long costNanos) {
    public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0L);

    /** The sum; its cost is unknown if either cost is. */
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

    /** The rest without an earlier part; its cost is unknown if either cost is. */
    public Usage minus(Usage part) {
        Long whole = costNanos;
        Long spent = part.costNanos;
        return new Usage(
                input - part.input,
                output - part.output,
                reasoning - part.reasoning,
                cacheRead - part.cacheRead,
                cacheWrite - part.cacheWrite,
                whole == null || spent == null ? null : whole - spent);
    }

    /** Input and output tokens. */
    public long tokens() {
        return input + output;
    }
}
