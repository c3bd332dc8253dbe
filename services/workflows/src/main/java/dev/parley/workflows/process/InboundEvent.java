package dev.parley.workflows.process;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.workflows.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A CloudEvent received from outside. */
public record InboundEvent(Json event) {
    /** Maximum weight in characters and values. */
    public static final int MAX_WEIGHT = 256 << 10;

    private static final int MAX_LENGTH = 1_000;

    /** The problem of an invalid event; empty if the event is valid. {@link #isTooLarge()} checks its size. */
    public Optional<String> problem() {
        for (String attribute : List.of("specversion", "id", "source", "type")) {
            if (event.get(attribute)
                    .text()
                    .filter(text -> !text.isBlank() && text.length() <= MAX_LENGTH)
                    .isEmpty()) {
                return Optional.of(
                        "An event has '" + attribute + "', a text of 1 to 1000 characters (CloudEvents 1.0)");
            }
        }
        return event.get("specversion").display().equals("1.0")
                ? Optional.empty()
                : Optional.of("'specversion' is 1.0");
    }

    /** Whether the event has more than {@link #MAX_WEIGHT} characters and values. */
    public boolean isTooLarge() {
        return event.weight() > MAX_WEIGHT;
    }

    /**
     * Keys of the routers that forward it.
     *
     * @param project key of the project
     */
    public Set<RecordKey> routers(String project) {
        return EventRouter.keys(project, event.get("type").display());
    }

    /** The id of the command to a router, which makes a repetition harmless. */
    public UUID id(RecordKey router) {
        return Ids.of(
                "event in",
                router,
                event.get("source").display(),
                event.get("id").display());
    }

    /** The command to a router. */
    public PublishEvent command(RecordKey router, CommandMeta meta) {
        return new PublishEvent(meta, router, event.toString());
    }
}
