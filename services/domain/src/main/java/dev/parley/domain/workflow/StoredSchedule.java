package dev.parley.domain.workflow;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A schedule in the state store. A removed one stays with its revision alone, so that an older command that arrives
 * later has no effect.
 *
 * @param definitionId null if it was removed
 * @param definition digest of the YAML whose processes it starts; null if it was removed
 * @param user in whose name processes are started, or null
 * @param handled time up to which starts were handled
 * @param due time of the next tick, or null
 * @param running the process after whose end the next one starts, or null
 * @param trigger matching state of events that start a process, JSON; null if there are none
 * @param types of these events
 * @param revision of the command that set or removed it, see {@link WorkflowSchedule}
 */
public record StoredSchedule(
        RecordKey key,
        UUID host,
        @Nullable UUID definitionId,
        @Nullable String definition,
        @Nullable String user,
        Instant handled,
        @Nullable Instant due,
        @Nullable UUID running,
        @Nullable String trigger,
        List<String> types,
        long revision) {
    public StoredSchedule {
        types = List.copyOf(types);
    }
}
