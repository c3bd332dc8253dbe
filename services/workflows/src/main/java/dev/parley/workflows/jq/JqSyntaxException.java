package dev.parley.workflows.jq;

/** A text is no jq. */
public final class JqSyntaxException extends RuntimeException {
    private final int at;

    JqSyntaxException(String message, int at) {
        super(message);
        this.at = at;
    }

    /** Where in the text, from 0. */
    public int at() {
        return at;
    }
}
