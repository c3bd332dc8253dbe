package dev.parley.domain.memory;

/**
 * Quota of a bank for storage and for calls of models. When it is exhausted, the bank stores no further content, and
 * rules replace model calls.
 *
 * @param units number of units, including retired ones
 * @param bytes of its documents in UTF-8, in all versions that are not erased
 * @param modelCalls per UTC day, counting each attempt
 * @param modelTokens per UTC day, input and output
 */
public record BankQuota(long units, long bytes, int modelCalls, long modelTokens) {
    /** The default quota. */
    public static final BankQuota DEFAULT = new BankQuota(1_000_000, 1L << 30, 5_000, 10_000_000);

    /** Whether any of the numbers is negative. */
    public boolean isNegative() {
        return units < 0 || bytes < 0 || modelCalls < 0 || modelTokens < 0;
    }
}
