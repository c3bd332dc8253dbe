package dev.parley.domain.budget;

/**
 * Usage, actual or reserved.
 *
 * @param nanos billionths of a US dollar
 * @param tokens input and output
 * @param unpriced number of calls with unknown cost, which {@code nanos} does not include
 */
public record Spend(long nanos, long tokens, long unpriced) {
    public static final Spend NOTHING = new Spend(0, 0, 0);

    public Spend plus(Spend other) {
        return new Spend(nanos + other.nanos, tokens + other.tokens, unpriced + other.unpriced);
    }
}
