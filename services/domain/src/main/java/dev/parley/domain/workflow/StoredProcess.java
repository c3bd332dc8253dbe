package dev.parley.domain.workflow;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A process as the store keeps it.
 *
 * @param definition digest of the YAML that it runs by
 * @param business business keys, a JSON object
 * @param state of the machine, JSON
 * @param user who has started it, or null
 * @param schedule key of the schedule that wants to know its end, or null
 * @param lastSeq number of its last event
 * @param due when it has to be looked at again, or null
 * @param calls that are under way
 * @param tasks that wait for people
 * @param waiters who want to know its end
 * @param subscriptions the events that its tasks wait for
 * @param overdue whether it was said that its deadline is over
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

    /** Somebody who waits for the end of a process. @param partition of {@code outcomes} where they wait */
    public record ProcessWaiter(UUID commandId, int partition) {}

    /** Types of events that a task waits for; {@code *} for every type. */
    public record Subscription(long taskOrder, List<String> types) {
        public Subscription {
            types = List.copyOf(types);
        }
    }

    /** Somebody whom a router tells events. */
    public record Subscriber(RecordKey subscriber) {}

    /** An event that a router has told lately. @param event JSON */
    public record RecentEvent(Instant at, String event) {}

    /** A definition that processes of this partition run by. @param yaml its text */
    public record StoredDefinition(String digest, String yaml) {}
}
