package dev.parley.workflows.jq;

/** A syntax error in a jq expression, or a name that is not defined. */
public final class JqSyntaxException extends RuntimeException {
    private final int at;

    JqSyntaxException(String message, int at) {
        super(message);
        this.at = at;
    }

    /** Offset in the text, from 0. */
    public int at() {
        return at;
    }
}
