package dev.parley.platform.bearer;

/** A token proves nothing. The message says why, with no word of the token's own. */
final class TokenRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    TokenRefusedException(String message) {
        super(message, null, false, false);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
