package dev.parley.server.client;

import org.jspecify.annotations.Nullable;

/** Ends a command, or a step of it, with a message for its user. */
public final class CommandException extends IllegalStateException {
    private final int status;

    public CommandException(String message) {
        this(0, message);
    }

    /** @param status of the response of the server, or 0 */
    public CommandException(int status, String message) {
        super(message);
        this.status = status;
    }

    public CommandException(String message, @Nullable Throwable cause) {
        super(message, cause);
        status = 0;
    }

    /** The HTTP status of the response of the server, or 0. */
    public int status() {
        return status;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
