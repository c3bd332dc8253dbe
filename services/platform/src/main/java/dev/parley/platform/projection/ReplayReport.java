package dev.parley.platform.projection;

import dev.parley.platform.database.Digest;
import java.time.Duration;

/**
 * The result of a replay of a topic into empty views.
 *
 * @param events number of events that the replay itself projected
 * @param rejected number of events that could not become rows; they were dead-lettered when they were first read
 * @param took duration of the replay
 */
public record ReplayReport(long events, long rejected, Duration took, Digest before, Digest after) {
    /** Whether the rows equal those before the replay. */
    public boolean isEqual() {
        return before.equals(after);
    }
}
