package dev.parley.channels.webhook;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okio.Buffer;
import okio.ByteString;

/** The signature {@code t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">} of requests in both directions. */
final class WebhookSignature {
    /** The header with the signature. */
    static final String HEADER = "Parley-Signature";

    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    private static final Pattern FORM = Pattern.compile("t=(\\d{1,12}),v1=([0-9a-fA-F]{64})");

    private WebhookSignature() {}

    /** Signs a body. */
    static String of(String secret, byte[] body, Instant now) {
        long at = now.getEpochSecond();
        return "t=" + at + ",v1=" + mac(secret, Long.toString(at), body).hex();
    }

    /** Whether a signature is valid and at most five minutes old; compares in constant time. */
    static boolean isOf(String secret, byte[] body, String given, Instant now) {
        Matcher matcher = FORM.matcher(given);
        if (!matcher.matches()) {
            return false;
        }
        byte[] claimed = HexFormat.of().parseHex(matcher.group(2));
        boolean fresh = Math.abs(now.getEpochSecond() - Long.parseLong(matcher.group(1))) <= MAX_AGE.toSeconds();
        return MessageDigest.isEqual(mac(secret, matcher.group(1), body).toByteArray(), claimed) && fresh;
    }

    private static ByteString mac(String secret, String at, byte[] body) {
        return new Buffer().writeUtf8(at + ".").write(body).hmacSha256(ByteString.encodeUtf8(secret));
    }
}
