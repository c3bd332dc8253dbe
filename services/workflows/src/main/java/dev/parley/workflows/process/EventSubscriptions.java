package dev.parley.workflows.process;

import dev.parley.domain.RecordKey;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.StoredProcess.Subscription;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.workflows.engine.ProcessEffect;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Event subscriptions of a process in one decision. Changes of the subscribed types are sent to the event routers. */
final class EventSubscriptions {
    private final InstanceDraft draft;
    private final List<Subscription> subscriptions;

    EventSubscriptions(InstanceDraft draft) {
        this.draft = draft;
        subscriptions = new ArrayList<>(draft.before().subscriptions());
    }

    List<Subscription> list() {
        return subscriptions;
    }

    void add(ProcessEffect.Listen listen) {
        update(() -> subscriptions.add(new Subscription(listen.order(), List.copyOf(listen.types()))));
    }

    /** Removes the subscription of a task. */
    void remove(long order) {
        update(() -> subscriptions.removeIf(subscription -> subscription.taskOrder() == order));
    }

    void clear() {
        update(subscriptions::clear);
    }

    private void update(Runnable change) {
        Set<String> before = types();
        change.run();
        Set<String> after = types();
        RecordKey self = draft.before().process().key();
        after.stream()
                .filter(type -> !before.contains(type))
                .forEach(type -> draft.send(meta -> new WorkflowCommand.Subscribe(meta, router(type), self)));
        before.stream()
                .filter(type -> !after.contains(type))
                .forEach(type -> draft.send(meta -> new WorkflowCommand.Unsubscribe(meta, router(type), self)));
    }

    /** The subscribed event types; a subscription to all types replaces the others, so that no event arrives twice. */
    private Set<String> types() {
        var types = new LinkedHashSet<String>();
        subscriptions.forEach(subscription -> types.addAll(subscription.types()));
        return types.contains(EventRouter.EVERY) ? Set.of(EventRouter.EVERY) : types;
    }

    private RecordKey router(String type) {
        return EventRouter.key(draft.before().process().project(), type);
    }
}
