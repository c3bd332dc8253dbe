package dev.parley.agents.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CommitPaceTest {
    private static final long MS = 1_000_000;
    /** nanoTime may begin anywhere, below zero too. */
    private final CommitPace pace = new CommitPace();

    private long now = -3_000 * MS;

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
    void recordsThatComeTogetherShareACommit() {
        assertEquals(1, commits(3, MS));
    }

    @Test
    void inARushTheIntervalCommits() {
        commits(200, MS); // the rush is noticed
        assertEquals(0, commits(1_000, MS));
    }

    @Test
    void afterARushRecordsAreCommittedAtOnceAgain() {
        commits(1_000, MS);
        assertEquals(0, commits(1, 50 * MS));
        assertTrue(commits(20, 20 * MS) > 15);
    }
}
