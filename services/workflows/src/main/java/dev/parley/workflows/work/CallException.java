package dev.parley.workflows.work;

import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;

/** A call has failed, for a reason that its workflow can catch. */
public final class CallException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient WorkflowError error;

    CallException(WorkflowError error) {
        super(error.detail());
        this.error = error;
    }

    /** The definition asks for what cannot be. */
    public static CallException configuration(String detail) {
        return new CallException(Standard.CONFIGURATION.error(detail, ""));
    }

    /** Whoever was called did not answer, or refused. */
    public static CallException communication(String detail) {
        return new CallException(Standard.COMMUNICATION.error(detail, ""));
    }

    /** The same with the status of HTTP that was answered. */
    public static CallException communication(int status, String detail) {
        return new CallException(Standard.COMMUNICATION.error(status, detail, ""));
    }

    /** It took longer than it may. */
    public static CallException timeout(String detail) {
        return new CallException(Standard.TIMEOUT.error(detail, ""));
    }

    WorkflowError error() {
        return error;
    }
}
