package dev.parley.server.canary;

/** Nothing can be tried; the message says why. */
final class CannotBeginException extends RuntimeException {
    CannotBeginException(String message) {
        super(message, null, false, false);
    }
}
