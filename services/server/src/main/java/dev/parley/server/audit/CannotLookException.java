package dev.parley.server.audit;

/** Why nothing can be said of a range, in words for people. */
public final class CannotLookException extends Exception {
    public CannotLookException(String message) {
        super(message);
    }

    CannotLookException(String message, Throwable cause) {
        super(message, cause);
    }
}
