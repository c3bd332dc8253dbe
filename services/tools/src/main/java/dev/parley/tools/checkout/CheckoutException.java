package dev.parley.tools.checkout;

import org.jspecify.annotations.Nullable;

/** A failure in a checkout. The message is for the model, and says what to do instead. */
final class CheckoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CheckoutException(String message) {
        this(message, null);
    }

    CheckoutException(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
