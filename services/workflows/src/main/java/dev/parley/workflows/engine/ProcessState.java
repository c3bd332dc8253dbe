package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of a process, an instance of a workflow.
 *
 * @param workflow the definition's reference, {@code namespace:name:version}
 * @param rawInput its input before transformation
 * @param input its transformed input
 * @param context data exported by tasks
 * @param body progress of its list of tasks; null when it has ended, unless it is faulted and can be repaired
 * @param order number of the last started task
 * @param suspended no task starts until it is resumed
 */
@RecordBuilder
public record ProcessState(
        String id,
        String workflow,
        Phase phase,
        Json rawInput,
        Json input,
        Json context,
        Json output,
        @Nullable WorkflowError error,
        Instant startedAt,
        @Nullable Instant completedAt,
        @Nullable Instant deadline,
        Frame.@Nullable Work body,
        long order,
        boolean suspended)
        implements ProcessStateBuilder.With {
    static ProcessState fresh(String id, String workflow, Json input, Instant now) {
        return new ProcessState(
                id,
                workflow,
                Phase.PENDING,
                input,
                input,
                Values.NULL,
                Values.NULL,
                null,
                now,
                null,
                null,
                null,
                0,
                false);
    }
}
