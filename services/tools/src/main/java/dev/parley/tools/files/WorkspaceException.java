package dev.parley.tools.files;

/** What was asked of a workspace cannot be done; nothing has changed. The message says why, and what to do about it. */
public final class WorkspaceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What is wrong. */
    public enum Kind {
        /** It cannot be the path of a file. */
        INVALID_PATH,
        /** Something else that was said cannot be right. */
        INVALID,
        /** There is no such file, version or snapshot. */
        UNKNOWN,
        /** It goes with nothing that is there: a folder has the name, or the file has another version. */
        CONFLICT,
        /** It is no text. */
        BINARY,
        /** It is larger than it may be. */
        TOO_LARGE,
        /** There are as many as there may be. */
        TOO_MANY,
        /** What was kept is not what was written. */
        DAMAGED
    }

    private final Kind kind;

    WorkspaceException(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    /** What is wrong. */
    public Kind kind() {
        return kind;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
