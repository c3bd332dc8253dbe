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
        long seconds = now.getEpochSecond();
        return "t=" + seconds + ",v1="
                + mac(secret, Long.toString(seconds), body).hex();
    }

    /** Whether a signature is valid and at most five minutes old; compares in constant time. */
    static boolean isOf(String secret, byte[] body, String signature, Instant now) {
        Matcher matcher = FORM.matcher(signature);
        if (!matcher.matches()) {
            return false;
        }
        byte[] claimed = HexFormat.of().parseHex(matcher.group(2));
        boolean isRecent = Math.abs(now.getEpochSecond() - Long.parseLong(matcher.group(1))) <= MAX_AGE.toSeconds();
        return MessageDigest.isEqual(mac(secret, matcher.group(1), body).toByteArray(), claimed) && isRecent;
    }

    private static ByteString mac(String secret, String seconds, byte[] body) {
        return new Buffer().writeUtf8(seconds + ".").write(body).hmacSha256(ByteString.encodeUtf8(secret));
    }
}
