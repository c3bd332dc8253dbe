package dev.parley.workflows.topology;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.StoredProcess.RecentEvent;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.domain.workflow.WorkflowCommand.Subscribe;
import dev.parley.domain.workflow.WorkflowCommand.TellEvent;
import dev.parley.domain.workflow.WorkflowCommand.Unsubscribe;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Event routers: each forwards the events of one type to the subscribed processes, each event once. Events received
 * between the start of a subscription and its arrival at the router are forwarded, too.
 */
final class EventRouting {
    /** Retention of an event for subscriptions that are still in transit. */
    private static final Duration RECENT = Duration.ofMinutes(2);

    private final WorkflowStore store;
    private final Consumer<WorkflowCommand> sender;

    EventRouting(WorkflowStore store, Consumer<WorkflowCommand> sender) {
        this.store = store;
        this.sender = sender;
    }

    void subscribe(Subscribe command) {
        RecordKey router = command.key();
        store.subscribe(router, command.subscriber());
        Instant since = command.meta().at();
        store.recent(router, since)
                .forEach(event -> forward(command.meta(), router, command.subscriber(), event.event()));
    }

    void unsubscribe(Unsubscribe command) {
        store.unsubscribe(command.key(), command.subscriber());
    }

    /** Forwards an event to all subscribers; returns false for a duplicate. */
    boolean publish(PublishEvent command, Instant now) {
        RecordKey router = command.key();
        Json event = JsonText.read(command.event());
        UUID id = Ids.of("event", event.get("source").display(), event.get("id").display());
        if (store.outcomes().find(router, id, now).isPresent()) {
            return false;
        }
        store.outcomes().remember(router, id, new Outcome.ProcessShown(router, id, "{}"), now);
        store.removeRecent(router, now.minus(RECENT));
        store.addRecent(router, new RecentEvent(now, command.event()));
        store.subscribers(router).forEach(subscriber -> forward(command.meta(), router, subscriber, command.event()));
        return true;
    }

    private void forward(CommandMeta meta, RecordKey router, RecordKey subscriber, String event) {
        UUID id = Ids.of("told", meta.commandId(), router, subscriber, event);
        sender.accept(new TellEvent(meta.silent(id), subscriber, event));
    }
}
