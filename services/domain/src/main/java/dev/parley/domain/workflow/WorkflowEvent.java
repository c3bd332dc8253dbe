package dev.parley.domain.workflow;

import dev.parley.domain.protocol.NamedEvent;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a process, called as the specification calls what happens to workflows and tasks. JSON stands in texts.
 *
 * @see <a href="https://github.com/serverlessworkflow/specification/blob/main/dsl.md#lifecycle-events">lifecycle events</a>
 */
public sealed interface WorkflowEvent extends NamedEvent {
    /** What the type begins with of what happens to tasks of people. */
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
            case SUSPENDED, CANCELLED, FAULTED, COMPLETED -> phase.specified();
        };
    }

    /**
     * It began.
     *
     * @param workflow the definition, {@code namespace:name:version}
     * @param input JSON, as it was given
     * @param business business keys, a JSON object
     * @param parent the process that waits for it, or null
     * @param origin the process that it repeats, or null
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
     * It is another way now.
     *
     * @param context JSON; null where it is as before
     * @param output JSON; null where there is none
     * @param error a problem of RFC 9457 as JSON; null where there is none
     * @param business business keys, a JSON object; null where they are as before
     * @param next what it waits for, in a line for people
     * @param due when it goes on by itself at the latest, or null
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

    /** Its deadline is over, and it has not ended. It goes on. */
    record ProcessOverdue(WorkflowMeta meta, Instant deadline) implements WorkflowEvent {}

    /**
     * A task began, or is in another phase.
     *
     * @param taskOrder its number in the process, from 1
     * @param type {@code call http}, {@code set} and so on
     * @param pointer where it stands in the definition
     * @param path the same with the rounds of loops, unique but for its attempts
     * @param attempt from 1
     * @param input JSON where it begins; null where it goes on
     * @param output JSON; null where there is none
     * @param error a problem of RFC 9457 as JSON; null where there is none
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
     * A task of a person is another way now.
     *
     * @param comment of the person who has done it, or null
     */
    record HumanTaskChanged(
            WorkflowMeta meta,
            HumanTask task,
            TaskChange change,
            @Nullable String comment) implements WorkflowEvent {}

    /** What became of a task of a person. */
    enum TaskChange {
        ASKED,
        CLAIMED,
        RELEASED,
        /** Nobody has answered in the time for which it was claimed. */
        CLAIM_LAPSED,
        DELEGATED,
        /** Nobody has answered in time: others are asked. */
        ESCALATED,
        ANSWERED,
        /** The answer was not as it has to be. */
        REFUSED,
        /** Nobody is to answer any more. */
        WITHDRAWN
    }
}
