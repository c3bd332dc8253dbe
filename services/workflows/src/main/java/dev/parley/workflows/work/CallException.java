package dev.parley.workflows.work;

import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import java.util.Collection;

/** A failed call, with an error that the workflow can catch. */
public final class CallException extends Exception {
    private static final int MOST_NAMES = 20;

    private final transient WorkflowError error;

    CallException(WorkflowError error) {
        super(error.detail());
        this.error = error;
    }

    /** The definition asks for what cannot be. */
    public static CallException configuration(String detail) {
        return new CallException(Standard.CONFIGURATION.error(detail, ""));
    }

    /** There is no such thing in a document. @param what begins the sentence: {@code the document has no operation} */
    static CallException missing(String what, String name, Collection<String> known) {
        return configuration("%s '%s'; it has %s".formatted(what, name, names(known)));
    }

    /** Names in a sentence: the first ones where there are many. */
    static String names(Collection<String> names) {
        return names.isEmpty()
                ? "none"
                : String.join(", ", names.stream().limit(MOST_NAMES).toList());
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
