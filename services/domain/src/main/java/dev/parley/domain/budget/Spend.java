package dev.parley.domain.budget;

/**
 * What is used, or may be.
 *
 * @param nanos billionths of a US dollar
 * @param tokens in and out
 * @param unpriced calls whose cost is not known, and so is not in it
 */
public record Spend(long nanos, long tokens, long unpriced) {
    public static final Spend NOTHING = new Spend(0, 0, 0);

    /** The sum. */
    public Spend plus(Spend other) {
        return new Spend(nanos + other.nanos, tokens + other.tokens, unpriced + other.unpriced);
    }
}
