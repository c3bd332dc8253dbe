package dev.parley.channels.bots.people;

import java.security.SecureRandom;
import java.util.Locale;
import okio.ByteString;

/** One-time codes of 40 random bits that users read to each other. Only digests are stored. */
final class PairingCodes {
    /** Alphabet without characters that look alike. */
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    private static final int LENGTH = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private PairingCodes() {}

    /** A new code. */
    static String create() {
        var code = new StringBuilder();
        RANDOM.ints(LENGTH, 0, ALPHABET.length()).forEach(i -> code.append(ALPHABET.charAt(i)));
        return code.toString();
    }

    /** The digest of a code as a user typed it. */
    static byte[] digest(String input) {
        String code = input.strip().replace("-", "").toUpperCase(Locale.ROOT);
        return ByteString.encodeUtf8(code).sha256().toByteArray();
    }
}
