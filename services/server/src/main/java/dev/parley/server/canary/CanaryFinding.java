package dev.parley.server.canary;

/**
 * A fault that a canary has found.
 *
 * @param nonce of the message, or empty where there is none
 * @param detail in a sentence, with ids
 */
record CanaryFinding(Result result, String nonce, String detail) {
    @Override
    public String toString() {
        return "%s %s: %s".formatted(result.code(), nonce.isEmpty() ? "-" : nonce, detail);
    }
}
