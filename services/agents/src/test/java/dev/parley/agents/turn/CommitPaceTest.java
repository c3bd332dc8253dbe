package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CommitPaceTest {
    private static final long MS = 1_000_000;

    private long now = -3_000 * MS; // System.nanoTime() may begin anywhere
    private final CommitPace pace = new CommitPace(now);

    private int commits(int records, long everyNanos) {
        int commits = 0;
        for (int i = 0; i < records; i++) {
            now += everyNanos;
            commits += pace.commitsAt(now) ? 1 : 0;
        }
        return commits;
    }

    @Test
    void recordsThatComeSlowlyAreCommittedOneByOne() {
        assertEquals(100, commits(100, 10 * MS));
    }

    @Test
    void theFasterRecordsComeTheMoreShareACommit() {
        int at200 = commits(2_000, 5 * MS);
        int at500 = commits(5_000, 2 * MS);

        assertTrue(at200 > 700, () -> at200 + " commits in 10 s at 200 records a second");
        assertTrue(at500 < at200 * 0.6, () -> at500 + " commits in 10 s at 500 records a second");
    }

    @Test
    void inARushCommitsAreLeftToTheInterval() {
        assertTrue(commits(20_000, MS / 2) <= 200);
    }

    @Test
    void afterARushRecordsAreCommittedAtOnceAgain() {
        commits(1_000, MS);
        now += 200 * MS;
        assertEquals(20, commits(20, 20 * MS));
    }
}
