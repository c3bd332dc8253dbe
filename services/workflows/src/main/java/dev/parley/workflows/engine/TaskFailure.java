package dev.parley.workflows.engine;

/** A task fails; caught where tasks end. */
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
