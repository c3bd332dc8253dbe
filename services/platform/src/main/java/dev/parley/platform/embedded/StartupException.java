package dev.parley.platform.embedded;

/** Parley cannot start on this machine. The message has the cause and the remedy. */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message complete without a cause */
    public StartupException(String message) {
        super(message);
    }

    /** @param message complete without the cause, which is for the log */
    public StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}
