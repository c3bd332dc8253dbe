package dev.parley.server.audit;

/** The topics cannot be audited; the message says why. */
public final class CannotLookException extends Exception {
    public CannotLookException(String message) {
        super(message);
    }

    CannotLookException(String message, Throwable cause) {
        super(message, cause);
    }
}
