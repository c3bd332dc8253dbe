package dev.parley.workflows.expression;

/** An expression cannot be read, or failed; the message says so to its author. */
public final class ExpressionException extends RuntimeException {
    public ExpressionException(String message) {
        super(message, null, false, false);
    }
}
