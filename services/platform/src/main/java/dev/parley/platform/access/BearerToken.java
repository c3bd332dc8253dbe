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
 * A bearer token, {@code parley_{8 characters}_{43 characters}}. Its first two parts are not secret. The rest has 256
 * random bits, so that a plain SHA-256 is a safe hash.
 *
 * @param prefix the public part
 * @param text the whole token
 */
public record BearerToken(String prefix, String text) {
    private static final Pattern FORM = Pattern.compile("(parley[a-z]?_[0-9A-Za-z]{8})_[0-9A-Za-z]{43}");
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int PREFIX_LENGTH = 8;
    private static final int SECRET_LENGTH = 43;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A new API key, or a new token of a sign-in. */
    public static BearerToken make(KeyKind kind) {
        return make(kind == KeyKind.API_KEY ? "parley_" : "parleys_");
    }

    /** A new secret of a link, which is not valid as a key. */
    public static BearerToken ofLink() {
        return make("parleyl_");
    }

    private static BearerToken make(String kind) {
        String prefix = kind + random(PREFIX_LENGTH);
        return new BearerToken(prefix, prefix + "_" + random(SECRET_LENGTH));
    }

    /** A new token with the same prefix, which replaces the previous one. */
    public static BearerToken after(String prefix) {
        return new BearerToken(prefix, prefix + "_" + random(SECRET_LENGTH));
    }

    /** A new secret of 256 bits. */
    public static String random() {
        return random(SECRET_LENGTH);
    }

    private static String random(int length) {
        var text = new StringBuilder(length);
        RANDOM.ints(length, 0, ALPHABET.length()).forEach(i -> text.append(ALPHABET.charAt(i)));
        return text.toString();
    }

    /** The public part of a token; empty for other texts. */
    public static Optional<String> prefixOf(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches() ? Optional.of(form.group(1)) : Optional.empty();
    }

    /** Whether a text is the key, in constant time. */
    public static boolean matches(AccessKey key, String text) {
        return matches(HexFormat.of().parseHex(key.hash()), text);
    }

    /** Whether a hash is that of the text, in constant time. */
    public static boolean matches(byte[] hash, String text) {
        return MessageDigest.isEqual(hash, Sha256.of(text));
    }

    /** Without the secret part. */
    @Override
    public String toString() {
        return prefix + "_…";
    }
}
