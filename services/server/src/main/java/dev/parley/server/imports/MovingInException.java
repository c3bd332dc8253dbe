package dev.parley.server.imports;

/** Nothing can be imported; the message says why and what to do. */
final class MovingInException extends IllegalStateException {
    MovingInException(String message) {
        super(message);
    }

    MovingInException(String message, Throwable cause) {
        super(message, cause);
    }
}
