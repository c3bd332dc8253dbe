package dev.parley.agents.turn;

/**
 * Whether a step is committed at once or waits for others to share its transaction. A transaction costs some
 * milliseconds of processor time whatever is in it: while records come slowly each is committed at once, in a rush only
 * the commit interval ends a transaction.
 */
final class CommitPace {
    /** Records in one {@link #WINDOW_NANOS} above which it is a rush. */
    private static final int RUSH = 40;

    private static final long WINDOW_NANOS = 100_000_000;

    /** The least time between two commits at once. */
    private static final long GAP_NANOS = 5_000_000;

    private long windowEnd = Long.MIN_VALUE;
    private int inWindow;
    private boolean rush;
    private long lastCommit = Long.MIN_VALUE / 2;

    /** A record was processed. @param nanos the time by {@link System#nanoTime} @return whether to commit now */
    boolean commitsAt(long nanos) {
        if (nanos - windowEnd >= 0 || windowEnd == Long.MIN_VALUE) {
            rush = inWindow > RUSH && nanos - windowEnd < WINDOW_NANOS;
            windowEnd = nanos + WINDOW_NANOS;
            inWindow = 0;
        }
        inWindow++;
        if (rush || inWindow > RUSH || nanos - lastCommit < GAP_NANOS) {
            return false;
        }
        lastCommit = nanos;
        return true;
    }
}
