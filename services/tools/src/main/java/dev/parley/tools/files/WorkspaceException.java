package dev.parley.tools.files;

import org.jspecify.annotations.Nullable;

/** A failed operation on a workspace, which has changed nothing. The message has the reason and the remedy. */
public final class WorkspaceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kind of a failure. */
    public enum Kind {
        INVALID_PATH,
        /** Another argument is invalid. */
        INVALID,
        /** There is no such file, version or snapshot. */
        UNKNOWN,
        /** Conflict with the current state: a folder has the path, or the file has another version. */
        CONFLICT,
        /** The content is not text. */
        BINARY,
        /** The maximum size is exceeded. */
        TOO_LARGE,
        /** The maximum number is reached. */
        TOO_MANY,
        /** The stored content is damaged. */
        DAMAGED
    }

    private final Kind kind;

    WorkspaceException(Kind kind, String message) {
        this(kind, message, null);
    }

    WorkspaceException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.kind = kind;
    }

    /** The kind of the failure. */
    public Kind kind() {
        return kind;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
