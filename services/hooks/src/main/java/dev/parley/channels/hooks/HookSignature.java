package dev.parley.channels.hooks;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import okio.ByteString;

/**
 * Signatures according to Standard Webhooks: HMAC-SHA256 of id, time and body, keyed with the bytes after {@code
 * whsec_}.
 *
 * @see <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">its
 *     specification</a>
 */
final class HookSignature {
    private static final String PREFIX = "whsec_";
    private static final int BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private HookSignature() {}

    /** A new 256-bit secret. */
    static String newSecret() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return PREFIX + Base64.getEncoder().encodeToString(bytes);
    }

    /**
     * The header {@code webhook-signature}, with one signature per secret.
     *
     * @param seconds of {@code webhook-timestamp}
     */
    static String of(List<String> secrets, String id, long seconds, String body) {
        String signed = id + "." + seconds + "." + body;
        return secrets.stream().map(secret -> "v1," + mac(secret, signed)).collect(Collectors.joining(" "));
    }

    private static String mac(String secret, String signed) {
        byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
        return ByteString.encodeUtf8(signed).hmacSha256(ByteString.of(key)).base64();
    }
}
