package dev.parley.sessions.projection;

/** An event that cannot become a row; nothing was changed for it. */
final class Rejected extends RuntimeException {
    Rejected(String reason) {
        super(reason);
    }
}
