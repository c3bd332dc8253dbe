package dev.parley.server.apply;

/** Reports why nothing, or nothing further, was applied. */
final class ApplyException extends RuntimeException {
    private final int status;

    ApplyException(String message) {
        this(0, message);
    }

    /** @param status that the server answered, or 0 */
    ApplyException(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
