package dev.parley.domain.protocol;

import dev.parley.domain.Coded;

/** Errors of all providers, tools and limits in one vocabulary. */
public enum ErrorCategory implements Coded {
    AUTH(false),
    INVALID_REQUEST(false),
    NOT_FOUND(false),
    RATE_LIMIT(true),
    OVERLOADED(true),
    SERVER(true),
    NETWORK(true),
    TIMEOUT(true),
    CONTENT_FILTER(false),
    CONTEXT_TOO_LONG(false),
    BUDGET(false),
    /** The worker of the call crashed, and the call was not retried successfully. */
    LOST(true),
    CANCELLED(false),
    UNKNOWN(false),
    /** The answer does not match the schema that its caller relies on: it is asked for once more, with the reason. */
    INVALID_ANSWER(true);

    private final boolean retryable;

    ErrorCategory(boolean retryable) {
        this.retryable = retryable;
    }

    /** Whether repeating the call may succeed. */
    public boolean retryable() {
        return retryable;
    }
}
