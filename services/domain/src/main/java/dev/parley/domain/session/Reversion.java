package dev.parley.domain.session;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What the context was before turns of it were taken back, once or several times.
 *
 * @param seq number of the event that took the first ones back
 * @param calls the calls by which files were put back, the last one first
 */
public record Reversion(long seq, List<UUID> calls, Mark before, Map<String, Mark> marks) {
    public Reversion {
        calls = List.copyOf(calls);
        marks = Map.copyOf(marks);
    }
}
