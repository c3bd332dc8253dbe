package dev.parley.channels.contract;

/** A secret of a bot is missing or unusable until an operator acts. The message has its reference, never the secret. */
public final class MissingSecretException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    /** @param cause the exception behind it, without secrets */
    public MissingSecretException(String message, Throwable cause) {
        super(message, cause);
    }

    /** A secret that is not configured. */
    public MissingSecretException(String message) {
        super(message);
    }
}
