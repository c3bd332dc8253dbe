package dev.parley.tools.checkout;

/** A failure in a checkout. The message is for the model, and says what to do instead. */
final class CheckoutException extends RuntimeException {
    private static final long serialVersionUID = 1;

    CheckoutException(String message) {
        super(message, null, false, false);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
