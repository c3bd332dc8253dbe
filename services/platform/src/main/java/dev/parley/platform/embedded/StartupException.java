package dev.parley.platform.embedded;

/** Parley cannot start on this machine. The message tells the user the cause and the remedy. */
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
