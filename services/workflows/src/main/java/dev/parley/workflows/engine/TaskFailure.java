package dev.parley.workflows.engine;

/** Fails the current task; caught when the task finishes. */
final class TaskFailure extends RuntimeException {
    private final transient WorkflowError error;

    TaskFailure(WorkflowError error) {
        super(error.title(), null, false, false);
        this.error = error;
    }

    WorkflowError error() {
        return error;
    }
}
