package dev.parley.channels.contract;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A message was not sent, or it is unknown whether it was. */
public final class SendFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final transient @Nullable Duration retryAfter;

    /** The kind of a failure, which determines its handling. */
    public enum Kind {
        /** Nothing was sent; a retry may succeed. */
        LATER,
        /** It is unknown whether the message was sent. */
        IN_DOUBT,
        /** This message cannot be sent; others may be. */
        REFUSED,
        /** The message to edit no longer exists. */
        GONE,
        /**
         * Nothing can be sent to this conversation until a user there changes that, for example unblocks the bot.
         */
        CLOSED,
        /** This bot cannot send at all until an operator intervenes, for example because its token was revoked. */
        REVOKED
    }

    /**
     * @param message for operators, without secrets
     * @param retryAfter the back-off that the other side requested, or null
     */
    public SendFailure(Kind kind, String message, @Nullable Duration retryAfter) {
        this(kind, message, retryAfter, null);
    }

    /**
     * @param message for operators, without secrets
     * @param retryAfter the back-off that the other side requested, or null
     * @param cause the exception behind the failure, without secrets, or null
     */
    public SendFailure(Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    public Kind kind() {
        return kind;
    }

    /** The back-off that the other side requested, or null if it requested none. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
