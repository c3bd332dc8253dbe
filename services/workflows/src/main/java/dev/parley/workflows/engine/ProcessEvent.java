package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.json.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lifecycle event of a process or task; published, and projected into the tables. */
public sealed interface ProcessEvent {
    /** The phase of the process has changed. */
    record ProcessChanged(
            Phase phase,
            Instant at,
            Json context,
            Json output,
            @Nullable WorkflowError error) implements ProcessEvent {}

    /**
     * A task has begun or changed its phase.
     *
     * @param attempt from 1
     * @param begins whether it has begun
     */
    record TaskChanged(
            long order,
            String name,
            String type,
            String pointer,
            String path,
            int attempt,
            Phase phase,
            Instant at,
            Json input,
            Json output,
            @Nullable WorkflowError error,
            boolean begins)
            implements ProcessEvent {}

    /** The context has changed. */
    record ContextChanged(Json context) implements ProcessEvent {}
}
