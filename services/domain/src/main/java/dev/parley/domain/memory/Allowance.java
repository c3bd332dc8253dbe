package dev.parley.domain.memory;

/**
 * How much a bank may hold, and how much it may ask models. Above it holds no more, and rules do what a model would have done.
 *
 * @param units that it knows, also those that it holds to be true no more
 * @param bytes of its documents, in all versions that were not erased, in UTF-8
 * @param modelCalls a day, in UTC; each attempt is one
 * @param modelTokens a day, in UTC, in and out
 */
public record Allowance(long units, long bytes, int modelCalls, long modelTokens) {
    /** Of a bank of which nobody said anything. */
    public static final Allowance USUAL = new Allowance(1_000_000, 1L << 30, 5_000, 10_000_000);

    /** Whether there is a number below nothing in it. */
    boolean isNegative() {
        return units < 0 || bytes < 0 || modelCalls < 0 || modelTokens < 0;
    }
}
