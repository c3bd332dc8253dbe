package dev.parley.control.identity;

/** A provider that did not say who somebody is. The message is for people; what the provider wrote is for the log. */
public final class IdentityException extends Exception {
    private static final long serialVersionUID = 1;

    /** Why not. */
    public enum Reason {
        /** The person did not agree. */
        DENIED,
        /** The answer is none to our question. */
        NO_ANSWER,
        /** The provider cannot be reached, or says what cannot be used. */
        FAILED
    }

    private static final int MOST = 300;

    private final Reason reason;
    private final String detail;

    IdentityException(Reason reason, String message, String detail) {
        super(message, null, false, false);
        this.reason = reason;
        this.detail = detail.length() > MOST ? detail.substring(0, MOST) + "…" : detail;
    }

    /** What kind it is. */
    public Reason reason() {
        return reason;
    }

    /** What operators read. */
    public String detail() {
        return detail.replaceAll("\\p{Cntrl}", " ");
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
