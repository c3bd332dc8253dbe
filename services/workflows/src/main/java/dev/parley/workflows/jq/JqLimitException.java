package dev.parley.workflows.jq;

/** An expression wanted more than it may have. It cannot be caught by {@code try}. */
public final class JqLimitException extends RuntimeException {
    JqLimitException(String message) {
        super(message, null, false, false);
    }
}
