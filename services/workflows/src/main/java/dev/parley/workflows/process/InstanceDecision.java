package dev.parley.workflows.process;

import dev.parley.domain.workflow.WorkflowEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a decision about a process.
 *
 * @param instance null if there is no such process
 */
public record InstanceDecision(
        @Nullable ProcessInstance instance, List<WorkflowEvent> events, List<Reaction> reactions) {
    public InstanceDecision {
        events = List.copyOf(events);
        reactions = List.copyOf(reactions);
    }
}
