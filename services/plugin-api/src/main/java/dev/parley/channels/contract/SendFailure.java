package dev.parley.channels.contract;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A message was not sent, or nobody knows. */
public final class SendFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final transient @Nullable Duration retryAfter;

    /** What follows from a failure. */
    public enum Kind {
        /** Nothing was sent, and it may go better later. */
        LATER,
        /** Nobody knows whether it was sent. */
        IN_DOUBT,
        /** This message cannot be sent, others may. */
        REFUSED,
        /** What was to be changed is not there any more. */
        GONE,
        /** Nothing can be sent to this place until somebody there changes that. */
        CLOSED,
        /** Nothing can be sent by this bot at all, until an operator changes that. */
        REVOKED
    }

    /**
     * @param message for operators, without secrets
     * @param retryAfter how long the other side wants to be left alone, or null
     */
    public SendFailure(Kind kind, String message, @Nullable Duration retryAfter) {
        super(message);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    public Kind kind() {
        return kind;
    }

    /** How long the other side wants to be left alone, or null where it did not say. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
