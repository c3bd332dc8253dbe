package dev.parley.workflows.api;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.process.InboundEvent;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes events to the processes of a project that listen for them. */
@Singleton
public final class EventService {
    private final ProcessCommands commands;

    EventService(ProcessCommands commands) {
        this.commands = commands;
    }

    /**
     * Publishes events, all or none.
     *
     * @param project key of the project, null for the default one
     * @param events as CloudEvents has them in JSON
     */
    public void publish(Caller caller, @Nullable String project, List<Json> events) {
        publish(caller, requirePublisher(caller, project), events);
    }

    /**
     * The project of events.
     *
     * @throws ApiException 403 or 404 where the caller may not publish any in it
     */
    Project requirePublisher(Caller caller, @Nullable String project) {
        return caller.require(Capability.WORKFLOW_RUN, project);
    }

    void publish(Caller caller, Project in, List<Json> events) {
        List<InboundEvent> inbound = events.stream().map(InboundEvent::new).toList();
        inbound.forEach(EventService::check);
        for (InboundEvent event : inbound) {
            for (RecordKey router : event.routers(in.projectKey())) {
                commands.send(caller, event.id(router), meta -> event.command(router, meta));
            }
        }
    }

    private static void check(InboundEvent event) {
        event.problem().ifPresent(problem -> {
            throw ApiException.badRequest("invalid_event", problem);
        });
        if (event.isTooLarge()) {
            throw ApiException.tooLarge(
                    "An event has at most %,d characters and values".formatted(InboundEvent.MAX_WEIGHT));
        }
    }
}
