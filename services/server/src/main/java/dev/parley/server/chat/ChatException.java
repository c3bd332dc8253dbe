package dev.parley.server.chat;

/** Something that the person at the terminal has to know; the message says it. */
final class ChatException extends RuntimeException {
    private final int status;

    ChatException(String message) {
        this(0, message);
    }

    /** @param status of the answer, or 0 where there was none */
    ChatException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
