package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A process: an instance of a workflow.
 *
 * @param workflow the definition's reference, {@code namespace:name:version}
 * @param rawInput as it was given
 * @param input as it was transformed
 * @param context what tasks exported
 * @param body what its list of tasks is at; null where it has ended, but for one that has failed and can be repaired
 * @param order number of the last task that began
 * @param suspended nothing begins until it is resumed
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
