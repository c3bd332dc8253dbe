package dev.parley.workflows.api;

import dev.parley.domain.Ids;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.domain.access.Capability;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.workflows.json.Json;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Publishes events for the processes of a project that wait for them. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true")
public final class EventService {
    private static final int LONGEST = 256 << 10;

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
        Project in = caller.require(Capability.WORKFLOW_RUN, project);
        events.forEach(EventService::check);
        for (Json event : events) {
            String type = event.get("type").display();
            for (var router : EventRouter.keys(in.projectKey(), type)) {
                var id = Ids.of(
                        "event in",
                        router,
                        event.get("source").display(),
                        event.get("id").display());
                commands.give(caller, id, meta -> new PublishEvent(meta, router, event.toString()));
            }
        }
    }

    private static void check(Json event) {
        for (String attribute : List.of("specversion", "id", "source", "type")) {
            if (event.get(attribute)
                    .text()
                    .filter(text -> !text.isBlank() && text.length() <= 1_000)
                    .isEmpty()) {
                throw ApiException.badRequest(
                        "invalid_event",
                        "An event has '" + attribute + "', a text of 1 to 1000 characters (CloudEvents 1.0)");
            }
        }
        if (!event.get("specversion").display().equals("1.0")) {
            throw ApiException.badRequest("invalid_event", "'specversion' is 1.0");
        }
        if (event.weight() > LONGEST) {
            throw ApiException.tooLarge("An event has at most %,d characters and values".formatted(LONGEST));
        }
    }
}
