package dev.parley.agents.turn;

/**
 * Whether a step is committed at once or waits for others to share its transaction. A transaction costs some
 * milliseconds of processor time whatever is in it. While records come slowly each is committed at once; the faster they
 * come, the longer a commit is put off, until in a rush the commit interval alone ends transactions.
 *
 * <p>A commit takes along all that its stream thread has done, so each thread has one pace.
 */
final class CommitPace {
    private static final long WINDOW_NANOS = 100_000_000;

    /** By how much each record of the last window puts off the next commit: some 100 commits a second at 200 records. */
    private static final long GAP_NANOS = 500_000;

    private long windowBegan;
    private int inWindow;
    private long gap;
    private long lastCommit;

    /** @param nanos the time by {@link System#nanoTime}, as in all calls */
    CommitPace(long nanos) {
        windowBegan = nanos;
        lastCommit = nanos - WINDOW_NANOS;
    }

    /** Counts a record that was processed, and says whether to commit now. */
    boolean commitsAt(long nanos) {
        long windows = (nanos - windowBegan) / WINDOW_NANOS;
        if (windows > 0) {
            gap = windows > 1 ? 0 : inWindow * GAP_NANOS;
            windowBegan += windows * WINDOW_NANOS;
            inWindow = 0;
        }
        inWindow++;
        if (nanos - lastCommit < Math.max(gap, inWindow * GAP_NANOS)) {
            return false;
        }
        lastCommit = nanos;
        return true;
    }
}
