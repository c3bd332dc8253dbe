package dev.parley.workflows.work;

import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.engine.WorkflowError.Standard;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A failed call, with an error that the workflow can catch. */
public final class CallException extends Exception {
    private static final int MAX_NAMES = 20;

    private final transient WorkflowError error;

    CallException(WorkflowError error) {
        this(error, null);
    }

    private CallException(WorkflowError error, @Nullable Throwable cause) {
        super(error.detail(), cause);
        this.error = error;
    }

    /** The definition is wrong. */
    public static CallException configuration(String detail) {
        return new CallException(Standard.CONFIGURATION.error(detail, ""));
    }

    /** The definition is wrong; the cause is not shown to the workflow. */
    static CallException configuration(String detail, Throwable cause) {
        return new CallException(Standard.CONFIGURATION.error(detail, ""), cause);
    }

    /**
     * A name is missing in a document.
     *
     * @param prefix the start of the sentence: {@code the document has no operation}
     */
    static CallException missing(String prefix, String name, Collection<String> available) {
        return configuration("%s '%s'; it has %s".formatted(prefix, name, names(available)));
    }

    /** The first names, for a message. */
    static String names(Collection<String> names) {
        return names.isEmpty()
                ? "none"
                : String.join(", ", names.stream().limit(MAX_NAMES).toList());
    }

    /** The called server did not answer, or refused the call. */
    public static CallException communication(String detail) {
        return new CallException(Standard.COMMUNICATION.error(detail, ""));
    }

    /** The called server did not answer, or refused the call; the cause is not shown to the workflow. */
    public static CallException communication(String detail, Throwable cause) {
        return new CallException(Standard.COMMUNICATION.error(detail, ""), cause);
    }

    /** The called server answered with this HTTP status. */
    public static CallException communication(int status, String detail) {
        return new CallException(Standard.COMMUNICATION.error(status, detail, ""));
    }

    /** The call timed out. */
    public static CallException timeout(String detail) {
        return new CallException(Standard.TIMEOUT.error(detail, ""));
    }

    WorkflowError error() {
        return error;
    }
}
