package dev.parley.channels.whatsapp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import okio.ByteString;

/**
 * Signature of Meta's webhooks: {@code sha256=<hex HMAC-SHA256 of the body>}, keyed with the app secret. It has no time:
 * a webhook that is sent again has no effect, because each message has an id.
 */
final class WhatsAppSignature {
    static final String HEADER = "X-Hub-Signature-256";
    private static final String PREFIX = "sha256=";

    private WhatsAppSignature() {}

    /** Signs the bytes of a body. */
    static String of(String secret, byte[] body) {
        return PREFIX
                + ByteString.of(body).hmacSha256(ByteString.encodeUtf8(secret)).hex();
    }

    /** Whether a signature is valid; compares in constant time. */
    static boolean isOf(String secret, byte[] body, String signature) {
        return isSame(of(secret, body), signature);
    }

    /** Whether two texts are the same; compares in constant time. */
    static boolean isSame(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
