package dev.parley.domain.workflow;

import dev.parley.domain.protocol.NamedEvent;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Events of workflow processes, named after the lifecycle events of the Serverless Workflow specification. JSON values
 * are strings.
 *
 * @see <a href="https://github.com/serverlessworkflow/specification/blob/main/dsl.md#lifecycle-events">lifecycle
 *     events</a>
 */
public sealed interface WorkflowEvent extends NamedEvent {
    /** Type prefix of human task events. */
    String OF_PEOPLE = "dev.parley.task.";

    WorkflowMeta meta();

    @Override
    default String eventType() {
        return switch (this) {
            case ProcessStarted _ -> "io.serverlessworkflow.workflow.started.v1";
            case ProcessChanged changed ->
                "io.serverlessworkflow.workflow." + word(changed.phase(), "status-changed") + ".v1";
            case ProcessOverdue _ -> "dev.parley.workflow.overdue.v1";
            case TaskChanged changed ->
                "io.serverlessworkflow.task." + word(changed.phase(), changed.input() == null ? "resumed" : "started")
                        + ".v1";
            case HumanTaskChanged changed -> OF_PEOPLE + changed.change().name().toLowerCase(Locale.ROOT) + ".v1";
        };
    }

    private static String word(Phase phase, String running) {
        return switch (phase) {
            case PENDING -> "created";
            case RUNNING -> running;
            case WAITING -> running.equals("status-changed") ? running : "suspended";
            case SUSPENDED, CANCELLED, FAULTED, COMPLETED -> phase.specificationName();
        };
    }

    /**
     * The process started.
     *
     * @param workflow the definition, {@code namespace:name:version}
     * @param input JSON, as it was given
     * @param business business keys, a JSON object
     * @param parent the waiting process, or null
     * @param origin the process that this one repeats, or null
     * @param deadline when it times out, or null
     */
    record ProcessStarted(
            WorkflowMeta meta,
            UUID definitionId,
            String workflow,
            String instanceId,
            String input,
            String business,
            @Nullable UUID parent,
            @Nullable UUID origin,
            @Nullable Instant deadline)
            implements WorkflowEvent {}

    /**
     * The status of the process changed.
     *
     * @param context JSON; null if unchanged
     * @param output JSON; null if there is none
     * @param error RFC 9457 problem as JSON; null if there is none
     * @param business business keys, a JSON object; null if unchanged
     * @param next description of what it waits for
     * @param due latest time of the next automatic step, or null
     */
    record ProcessChanged(
            WorkflowMeta meta,
            Phase phase,
            @Nullable String context,
            @Nullable String output,
            @Nullable String error,
            @Nullable String business,
            String next,
            @Nullable Instant due)
            implements WorkflowEvent {}

    /** The process has exceeded its deadline. It continues. */
    record ProcessOverdue(WorkflowMeta meta, Instant deadline) implements WorkflowEvent {}

    /**
     * A task started or changed its phase.
     *
     * @param taskOrder number of the task in the process, from 1
     * @param type {@code call http}, {@code set} and so on
     * @param pointer JSON pointer into the definition
     * @param path the pointer with loop iterations, unique except for attempts
     * @param attempt from 1
     * @param input JSON at the start; null otherwise
     * @param output JSON; null if there is none
     * @param error RFC 9457 problem as JSON; null if there is none
     */
    record TaskChanged(
            WorkflowMeta meta,
            long taskOrder,
            String name,
            String type,
            String pointer,
            String path,
            int attempt,
            Phase phase,
            @Nullable String input,
            @Nullable String output,
            @Nullable String error)
            implements WorkflowEvent {}

    /**
     * A human task changed.
     *
     * @param comment of the acting user, or null
     */
    record HumanTaskChanged(
            WorkflowMeta meta,
            HumanTask task,
            TaskChange change,
            @Nullable String comment) implements WorkflowEvent {}

    /** Changes of a human task. */
    enum TaskChange {
        ASKED,
        CLAIMED,
        RELEASED,
        /** The claim expired without an answer. */
        CLAIM_LAPSED,
        DELEGATED,
        /** The task was escalated on timeout. */
        ESCALATED,
        ANSWERED,
        /** The answer was invalid. */
        REFUSED,
        /** The task no longer needs an answer. */
        WITHDRAWN
    }
}
