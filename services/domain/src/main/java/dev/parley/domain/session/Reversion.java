package dev.parley.domain.session;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The context before turns were reverted, once or several times.
 *
 * @param seq number of the first reverting event
 * @param calls the calls that reverted files, last first
 */
public record Reversion(long seq, List<UUID> calls, Mark before, Map<String, Mark> marks) {
    public Reversion {
        calls = List.copyOf(calls);
        marks = Map.copyOf(marks);
    }
}
