package dev.parley.server.chat;

/** An error that is shown to the user of the chat. */
final class ChatException extends RuntimeException {
    private final int status;

    ChatException(String message) {
        this(0, message);
    }

    /** @param status of the response, or 0 */
    ChatException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
