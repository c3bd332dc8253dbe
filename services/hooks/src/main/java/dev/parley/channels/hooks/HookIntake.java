package dev.parley.channels.hooks;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.SessionErased;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.Subscription;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.service.Recurring;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes a delivery for each webhook that subscribes to an event. It starts to read the topics once the first webhook
 * exists, and skips events from before that.
 */
final class HookIntake extends Recurring {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

    private final Database database;
    private final HookRows hooks;
    private final HookDeliveryRows deliveries;
    private final KafkaClients clients;
    private final List<Subscription<?>> started = new ArrayList<>();
    private volatile Instant since = Instant.MAX;

    HookIntake(Database database, HookRows hooks, HookDeliveryRows deliveries, KafkaClients clients) {
        super("event webhooks' events", Duration.ZERO, "events for webhooks are not read");
        this.database = database;
        this.hooks = hooks;
        this.deliveries = deliveries;
        this.clients = clients;
    }

    @Override
    protected void pass() {
        Optional<Instant> first = database.in(Tenant.ALL, () -> hooks.first());
        if (first.isEmpty()) {
            return;
        }
        since = first.get();
        if (started.isEmpty()) {
            begin(new Subscription<>(
                    clients, Topics.TURN_EVENTS, "parley-webhooks-turns", HookEvent::isOfTurns, this::onTurnEvent));
        }
        begin(new Subscription<>(
                clients,
                Topics.WORKFLOW_EVENTS,
                "parley-webhooks-processes",
                HookEvent::isOfProcesses,
                this::onWorkflowEvent));
        finish();
    }

    private void begin(Subscription<?> subscription) {
        subscription.start();
        started.add(subscription);
    }

    private void onTurnEvent(TurnEvent event) {
        if (event instanceof SessionErased erased) {
            var key = erased.meta().key();
            database.in(Tenant.of(erased.meta().host()).project(key.projectId()), () -> {
                deliveries.deleteOfSession(erased.meta().host(), key.projectId(), key.session());
            });
        } else {
            HookEvent.of(event).ifPresent(this::add);
        }
    }

    private void onWorkflowEvent(WorkflowEvent event) {
        HookEvent.of(event).ifPresent(this::add);
    }

    private void add(HookEvent event) {
        if (event.at().isBefore(since)) {
            return; // older than the first webhook
        }
        database.in(
                Tenant.of(event.host()).project(event.project()),
                () -> deliveries.add(
                        event.host(),
                        event.project(),
                        event.type(),
                        event.source(),
                        event.session(),
                        event.at(),
                        event.body()));
    }

    @Override
    protected Duration rest(boolean failed) {
        return POLL_INTERVAL;
    }

    @Override
    public void close() {
        super.close();
        started.forEach(Subscription::close);
    }
}
