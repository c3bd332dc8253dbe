package dev.parley.domain.workflow;

import java.util.UUID;

/** Nobody wants the answer to this call any more. */
public record WorkCancelled(UUID callId) implements WorkflowWork {}
