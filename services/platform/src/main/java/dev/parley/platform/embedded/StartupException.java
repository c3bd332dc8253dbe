package dev.parley.platform.embedded;

/** Something on this machine keeps Parley from starting. The message is for the user: it says what, and what to do. */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The message stands for itself. */
    public StartupException(String message) {
        super(message);
    }

    /** The message stands for itself; the cause is for the log. */
    public StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}
