package dev.parley.channels.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** {@code t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">}: who sent a body, and when. */
final class Signature {
    /** The header that has it. */
    static final String HEADER = "Parley-Signature";

    private static final String ALGORITHM = "HmacSHA256";
    private static final Duration FRESH = Duration.ofMinutes(5);
    private static final Pattern FORM = Pattern.compile("t=(\\d{1,12}),v1=([0-9a-fA-F]{64})");

    private Signature() {}

    /** The signature of a body that is sent now. */
    static String of(String secret, byte[] body, Instant now) {
        long at = now.getEpochSecond();
        return "t=" + at + ",v1=" + HexFormat.of().formatHex(mac(secret, Long.toString(at), body));
    }

    /** Whether a body was signed with the secret, not long ago; takes as long wherever the two differ. */
    static boolean isOf(String secret, byte[] body, String given, Instant now) {
        Matcher matcher = FORM.matcher(given);
        if (!matcher.matches()) {
            return false;
        }
        byte[] claimed = HexFormat.of().parseHex(matcher.group(2));
        boolean fresh = Math.abs(now.getEpochSecond() - Long.parseLong(matcher.group(1))) <= FRESH.toSeconds();
        return MessageDigest.isEqual(mac(secret, matcher.group(1), body), claimed) && fresh;
    }

    private static byte[] mac(String secret, String at, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((at + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
