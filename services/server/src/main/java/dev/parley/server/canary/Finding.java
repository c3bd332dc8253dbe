package dev.parley.server.canary;

/**
 * Something that is not as it should be.
 *
 * @param nonce of the message, or empty where it is about none
 * @param detail in a sentence, with ids
 */
record Finding(Result result, String nonce, String detail) {
    @Override
    public String toString() {
        return "%s %s: %s".formatted(result.code(), nonce.isEmpty() ? "-" : nonce, detail);
    }
}
