package dev.parley.server.canary;

/** The canary cannot begin; the message says why. */
final class CannotBeginException extends RuntimeException {
    CannotBeginException(String message) {
        super(message, null, false, false);
    }
}
