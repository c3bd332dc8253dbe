package dev.parley.control.credentials;

import dev.parley.control.http.Checks;

/** The key of a model provider as somebody gives it. */
record ProviderKey(String text) {
    private static final int MOST = 4_096;
    private static final int SHORT = 12;
    private static final int SHOWN = 4;

    /** Reads it as it can be sent. @throws dev.parley.platform.http.ApiException 400, without the key */
    static ProviderKey of(String given) {
        String text = given.strip();
        if (text.isEmpty() || text.length() > MOST) {
            throw Checks.invalid("apiKey", "has 1 to " + MOST + " characters");
        }
        if (text.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw Checks.invalid("apiKey", "has characters that no key has");
        }
        return new ProviderKey(text);
    }

    /** How it ends, so that people know it again; of a short one that would be too much. */
    String last4() {
        return text.length() < SHORT ? "" : text.substring(text.length() - SHOWN);
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return "ProviderKey[" + last4() + "]";
    }
}
