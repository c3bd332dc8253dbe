package dev.parley.platform.bearer;

/** A token is not accepted. The message gives the reason without any part of the token. */
final class TokenRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    TokenRefusedException(String message) {
        super(message, null, false, false);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
