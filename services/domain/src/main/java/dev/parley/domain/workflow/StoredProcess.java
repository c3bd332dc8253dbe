package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A workflow process in the state store.
 *
 * @param definition digest of its YAML definition
 * @param business business keys, a JSON object
 * @param state of the process machine, JSON
 * @param user the user who started it, or null
 * @param schedule key of the schedule to inform of its end, or null
 * @param lastSeq number of its newest event
 * @param due time of the next tick, or null
 * @param calls pending calls
 * @param tasks pending human tasks
 * @param waiters waiting for its end
 * @param subscriptions events that its tasks wait for
 * @param overdue whether its missed deadline was reported
 */
public record StoredProcess(
        ProcessRef process,
        UUID definitionId,
        String definition,
        String instanceId,
        String business,
        String state,
        @Nullable String user,
        int depth,
        @Nullable ParentCall parent,
        @Nullable UUID origin,
        @Nullable RecordKey schedule,
        long lastSeq,
        @Nullable Instant due,
        List<WorkRequest> calls,
        List<HumanTask> tasks,
        List<ProcessWaiter> waiters,
        List<Subscription> subscriptions,
        boolean overdue) {
    public StoredProcess {
        calls = List.copyOf(calls);
        tasks = List.copyOf(tasks);
        waiters = List.copyOf(waiters);
        subscriptions = List.copyOf(subscriptions);
    }

    /**
     * A waiter for the end of a process.
     *
     * @param partition of {@code outcomes} on which the instance waits
     */
    public record ProcessWaiter(UUID commandId, int partition) {}

    /** Event types that a task waits for; {@code *} for all. */
    public record Subscription(long taskOrder, List<String> types) {
        public Subscription {
            types = List.copyOf(types);
        }
    }

    /** A subscriber of an event router. */
    public record Subscriber(RecordKey subscriber) {}

    /**
     * A recently routed event.
     *
     * @param event JSON
     */
    public record RecentEvent(Instant at, String event) {}

    /**
     * A definition used by processes of this partition.
     *
     * @param yaml its text
     */
    public record StoredDefinition(String digest, String yaml) {}
}
