package dev.parley.domain.workflow;

import java.util.UUID;

/** Cancels a call whose result is no longer needed. */
public record WorkCancelled(UUID callId) implements WorkflowWork {}
