package dev.parley.workflows.api;

import dev.parley.platform.service.Recurring;
import dev.parley.workflows.catalogue.DefinitionRows.ScopedName;
import dev.parley.workflows.catalogue.WorkflowCatalogue;
import dev.parley.workflows.catalogue.WorkflowCatalogue.Scope;
import io.micronaut.core.annotation.Order;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Updates schedules that have not confirmed a publication or deletion, because Kafka was not reachable or the server
 * was killed. Every instance does so: an update that was overtaken has no effect.
 */
@Singleton
@Order(40)
final class ScheduleResender extends Recurring {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration INTERVAL = Duration.ofSeconds(30);

    private final WorkflowCatalogue definitions;
    private final ScheduleService schedules;

    ScheduleResender(WorkflowCatalogue definitions, ScheduleService schedules) {
        super("unconfirmed schedules", FIRST, "schedules could not be updated");
        this.definitions = definitions;
        this.schedules = schedules;
    }

    @Override
    protected void pass() {
        @Nullable RuntimeException failure = null;
        for (ScopedName name : definitions.unconfirmed()) {
            if (isClosing()) {
                return;
            }
            try {
                schedules.update(new Scope(name.hostId(), name.projectId()), name.namespace(), name.name());
            } catch (RuntimeException e) {
                failure = e; // that of one schedule keeps no other from its update
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    protected Duration rest(boolean failed) {
        return INTERVAL;
    }
}
