package dev.parley.workflows.jq;

/** An expression exceeded a limit. {@code try} cannot catch it. */
public final class JqLimitException extends RuntimeException {
    JqLimitException(String message) {
        super(message, null, false, false);
    }
}
