package dev.parley.server.canary;

/** Nothing can be tried; the message says why. */
final class CannotBeginException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CannotBeginException(String message) {
        super(message, null, false, false);
    }
}
