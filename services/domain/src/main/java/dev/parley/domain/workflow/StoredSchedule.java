package dev.parley.domain.workflow;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as the store keeps it.
 *
 * @param definition digest of the YAML whose processes it starts
 * @param user in whose name it does, or null
 * @param handled up to when beginnings were handled
 * @param due when it has to be looked at again, or null
 * @param running the process after whose end the next one is to begin, or null
 * @param trigger how far the events are that start a process, state of a machine as JSON; null where none do
 * @param types types of these events
 */
public record StoredSchedule(
        RecordKey key,
        UUID host,
        UUID definitionId,
        String definition,
        @Nullable String user,
        Instant handled,
        @Nullable Instant due,
        @Nullable UUID running,
        @Nullable String trigger,
        List<String> types) {
    public StoredSchedule {
        types = List.copyOf(types);
    }
}
