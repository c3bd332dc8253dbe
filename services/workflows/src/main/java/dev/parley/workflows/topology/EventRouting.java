package dev.parley.workflows.topology;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.StoredProcess.RecentEvent;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.domain.workflow.WorkflowCommand.Subscribe;
import dev.parley.domain.workflow.WorkflowCommand.TellEvent;
import dev.parley.domain.workflow.WorkflowCommand.Unsubscribe;
import dev.parley.platform.streams.Writes;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * Event routers: each forwards the events of one type to the subscribed processes, each event once. Events received
 * between the start of a subscription and its arrival at the router are forwarded, too.
 */
final class EventRouting {
    /** Retention of an event for subscriptions that are still in transit. */
    private static final Duration RECENT = Duration.ofMinutes(2);

    private final WorkflowStore store;

    EventRouting(WorkflowStore store) {
        this.store = store;
    }

    void subscribe(Subscribe command, DecisionWriter writer) {
        RecordKey router = command.key();
        writer.writes().add(() -> store.subscribe(router, command.subscriber()));
        Instant since = command.meta().at();
        store.recent(router, since)
                .forEach(event -> forward(command.meta(), router, command.subscriber(), event.event(), writer));
    }

    void unsubscribe(Unsubscribe command, DecisionWriter writer) {
        writer.writes().add(() -> store.unsubscribe(command.key(), command.subscriber()));
    }

    /** Forwards an event to all subscribers; returns false for a duplicate. */
    boolean publish(PublishEvent command, Instant now, DecisionWriter writer) {
        RecordKey router = command.key();
        Json event = JsonText.read(command.event());
        UUID id = Ids.of("event", event.get("source").display(), event.get("id").display());
        if (store.outcomes().find(router, id, now).isPresent()) {
            return false;
        }
        Writes<WorkflowInput> writes = writer.writes();
        writes.add(store.outcomes().prepare(router, id, new Outcome.ProcessShown(router, id, "{}"), now));
        writes.add(() -> store.removeRecent(router, now.minus(RECENT)));
        writes.add(() -> store.addRecent(router, new RecentEvent(now, command.event())));
        store.subscribers(router)
                .forEach(subscriber -> forward(command.meta(), router, subscriber, command.event(), writer));
        return true;
    }

    private static void forward(
            CommandMeta meta, RecordKey router, RecordKey subscriber, String event, DecisionWriter writer) {
        UUID id = Ids.of("told", meta.commandId(), router, subscriber, event);
        writer.send(new TellEvent(meta.silent(id), subscriber, event));
    }
}
