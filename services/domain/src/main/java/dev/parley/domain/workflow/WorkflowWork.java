package dev.parley.domain.workflow;

/** Records on {@code workflow-requests}. */
public sealed interface WorkflowWork permits WorkRequest, WorkCancelled {}
