package dev.parley.platform.access;

import dev.parley.domain.Sha256;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A secret that somebody shows, {@code parley_{8 signs}_{43 signs}}; its first two parts are no secret. The rest has 256 random
 * bits, so that a plain SHA-256 of it is safe to keep.
 *
 * @param prefix what may be seen of it
 * @param text all of it
 */
public record Token(String prefix, String text) {
    private static final Pattern FORM = Pattern.compile("(parley[a-z]?_[0-9A-Za-z]{8})_[0-9A-Za-z]{43}");
    private static final String SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int SEEN = 8;
    private static final int HIDDEN = 43;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new key of the API, or a new token of a sign-in. */
    public static Token make(KeyKind kind) {
        return make(kind == KeyKind.API_KEY ? "parley_" : "parleys_");
    }

    /** A new link's secret; it opens nothing as a key. */
    public static Token ofLink() {
        return make("parleyl_");
    }

    private static Token make(String kind) {
        String prefix = kind + random(SEEN);
        return new Token(prefix, prefix + "_" + random(HIDDEN));
    }

    /** Another token with the same visible part, which takes the place of the one before. */
    public static Token after(String prefix) {
        return new Token(prefix, prefix + "_" + random(HIDDEN));
    }

    /** A new secret of 256 bits. */
    public static String random() {
        return random(HIDDEN);
    }

    private static String random(int length) {
        var signs = new StringBuilder(length);
        RANDOM.ints(length, 0, SIGNS.length()).forEach(i -> signs.append(SIGNS.charAt(i)));
        return signs.toString();
    }

    /** The visible part of what was shown; empty where that is no token. */
    public static Optional<String> prefixOf(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches() ? Optional.of(form.group(1)) : Optional.empty();
    }

    /** SHA-256. */
    public static byte[] hash(String text) {
        return Sha256.of(text);
    }

    /** Whether this is the key; takes as long for a wrong one. */
    public static boolean matches(AccessKey key, String text) {
        return matches(HexFormat.of().parseHex(key.hash()), text);
    }

    /** Whether this is the SHA-256 of the text; takes as long where it is not. */
    public static boolean matches(byte[] hash, String text) {
        return MessageDigest.isEqual(hash, hash(text));
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return prefix + "_…";
    }
}
