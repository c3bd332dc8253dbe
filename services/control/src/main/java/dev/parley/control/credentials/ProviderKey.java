package dev.parley.control.credentials;

import dev.parley.control.http.Checks;

/** The key of a model provider in plain text. */
record ProviderKey(String text) {
    private static final int MAX_LENGTH = 4_096;
    private static final int MIN_LENGTH_SHOWN = 12;
    private static final int SUFFIX_LENGTH = 4;

    /**
     * Validates a key.
     *
     * @throws dev.parley.platform.http.ApiException 400, without the key in its message
     */
    static ProviderKey of(String input) {
        String text = input.strip();
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw Checks.invalid("apiKey", "must have 1 to " + MAX_LENGTH + " characters");
        }
        if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw Checks.invalid("apiKey", "contains characters that are not allowed in keys");
        }
        return new ProviderKey(text);
    }

    /** The last characters, to recognise the key; empty for a short key. */
    String last4() {
        return text.length() < MIN_LENGTH_SHOWN ? "" : text.substring(text.length() - SUFFIX_LENGTH);
    }

    /** Omits secrets. */
    @Override
    public String toString() {
        return "ProviderKey[" + last4() + "]";
    }
}
