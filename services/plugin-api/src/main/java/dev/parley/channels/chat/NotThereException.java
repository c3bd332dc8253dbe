package dev.parley.channels.chat;

import org.jspecify.annotations.Nullable;

/** A file of a message is not available, or too large. */
public final class NotThereException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean retryable;

    /** @param retryable whether a retry may help */
    public NotThereException(String message, boolean retryable) {
        this(message, retryable, null);
    }

    /**
     * @param message for operators, without secrets
     * @param retryable whether a retry may help
     * @param cause the exception behind it, without secrets, or null
     */
    public NotThereException(String message, boolean retryable, @Nullable Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
    }

    /** Whether a retry may help. */
    public boolean isRetryable() {
        return retryable;
    }
}
