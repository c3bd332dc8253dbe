package dev.parley.domain.workflow;

/** What stands on {@code workflow-requests}. */
public sealed interface WorkflowWork permits WorkRequest, WorkCancelled {}
