package dev.parley.sessions.projection;

/** An event cannot become rows; nothing was changed for it. */
final class RejectedEventException extends RuntimeException {
    RejectedEventException(String reason) {
        super(reason);
    }
}
