package dev.parley.domain.protocol;

import dev.parley.domain.Coded;

/** What went wrong, in one vocabulary for all providers, tools and limits. */
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
    /** The worker that had the call is gone and nobody took it over. */
    LOST(true),
    CANCELLED(false),
    UNKNOWN(false);

    private final boolean retryable;

    ErrorCategory(boolean retryable) {
        this.retryable = retryable;
    }

    /** Whether the same call may succeed when it is made again. */
    public boolean retryable() {
        return retryable;
    }
}
