package dev.parley.channels.bots;

import java.security.SecureRandom;
import java.util.Locale;
import okio.ByteString;

/** Codes that people read to each other: 40 random bits, good once and for a while. Digests of them are kept. */
final class Codes {
    /** Without those that look alike. */
    private static final String SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    private static final int LENGTH = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Codes() {}

    /** Another code. */
    static String make() {
        var code = new StringBuilder();
        RANDOM.ints(LENGTH, 0, SIGNS.length()).forEach(i -> code.append(SIGNS.charAt(i)));
        return code.toString();
    }

    /** The digest of a code as somebody has written it. */
    static byte[] digest(String written) {
        String code = written.strip().replace("-", "").toUpperCase(Locale.ROOT);
        return ByteString.encodeUtf8(code).sha256().toByteArray();
    }
}
