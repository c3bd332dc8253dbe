package dev.parley.workflows.topology;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.workflow.WorkflowCommand;

/** Inputs of the machines of processes, schedules and event routers. */
sealed interface WorkflowInput {
    record Command(WorkflowCommand command) implements WorkflowInput {}

    record Result(CallResult result) implements WorkflowInput {}

    /** A timer of a process or a schedule. */
    record Tick() implements WorkflowInput {}
}
