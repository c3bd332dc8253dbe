package dev.parley.platform.bearer;

/** The issuer's keys cannot be fetched, and no cached ones are valid. */
final class KeysUnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    KeysUnavailableException(Exception cause) {
        super(String.valueOf(cause.getMessage()), cause, false, false);
    }
}
