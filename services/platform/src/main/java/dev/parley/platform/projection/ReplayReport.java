package dev.parley.platform.projection;

import dev.parley.platform.database.Digest;
import java.time.Duration;

/**
 * What a replay of a topic into empty views did.
 *
 * @param events how many it projected itself
 * @param rejected how many could not become rows; they stand on dead-letters since they were first read
 * @param took how long that was
 */
public record ReplayReport(long events, long rejected, Duration took, Digest before, Digest after) {
    /** Whether the rows are what they were. */
    public boolean isEqual() {
        return before.equals(after);
    }
}
