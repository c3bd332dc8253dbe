package dev.parley.server.movingin;

/** Something because of which nothing can be imported; its message says what and what to do. */
final class MovingInException extends IllegalStateException {
    MovingInException(String message) {
        super(message);
    }

    MovingInException(String message, Throwable cause) {
        super(message, cause);
    }
}
