package dev.parley.domain.workflow;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule in the state store.
 *
 * @param definition digest of the YAML whose processes it starts
 * @param user in whose name processes are started, or null
 * @param handled time up to which starts were handled
 * @param due time of the next tick, or null
 * @param running the process after whose end the next one starts, or null
 * @param trigger matching state of events that start a process, JSON; null if there are none
 * @param types of these events
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
