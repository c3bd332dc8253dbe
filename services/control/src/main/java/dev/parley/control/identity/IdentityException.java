package dev.parley.control.identity;

import org.jspecify.annotations.Nullable;

/** A failed federated sign-in. The message is for users; the provider's text is for the log. */
public final class IdentityException extends Exception {
    private static final long serialVersionUID = 1;

    /** The reason for a failed federated sign-in. */
    public enum Reason {
        /** The person denied consent. */
        DENIED,
        /** The response does not match the request. */
        NO_ANSWER,
        /** The provider cannot be reached or sent an invalid response. */
        FAILED
    }

    private static final int MAX_DETAIL = 300;

    private final Reason reason;
    private final String detail;

    IdentityException(Reason reason, String message, String detail) {
        this(reason, message, detail, null);
    }

    /** @param cause the exception behind it, without tokens, or null */
    IdentityException(Reason reason, String message, String detail, @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.reason = reason;
        this.detail = detail.length() > MAX_DETAIL ? detail.substring(0, MAX_DETAIL) + "…" : detail;
    }

    public Reason reason() {
        return reason;
    }

    /** The provider's text, for the log. */
    public String detail() {
        return detail.replaceAll("\\p{Cntrl}", " ");
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
