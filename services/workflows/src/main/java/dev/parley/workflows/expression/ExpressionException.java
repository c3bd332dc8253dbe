package dev.parley.workflows.expression;

/** An expression is invalid or failed; the message is for its author. */
public final class ExpressionException extends RuntimeException {
    public ExpressionException(String message) {
        super(message, null, false, false);
    }
}
