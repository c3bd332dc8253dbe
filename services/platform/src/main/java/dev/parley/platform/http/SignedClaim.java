package dev.parley.platform.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import okio.ByteString;

/**
 * A signed text (HMAC-SHA256) that represents a key without containing it. It names the key and its own expiry, is
 * valid while both are, and can be verified by any instance.
 *
 * @param purpose claims of one purpose are invalid for others
 */
record SignedClaim(String purpose, Callers callers, Clock clock) {
    private static final int MAX_LENGTH = 4_000;

    /**
     * Issues a claim for a caller.
     *
     * @param end in whole seconds
     */
    String issue(Caller caller, Instant end) {
        String claim = end.getEpochSecond() + "\n" + callers.nameOf(caller.key());
        return encode(claim.getBytes(StandardCharsets.UTF_8)) + "." + encode(sign(claim));
    }

    /** The caller of a claim; empty if it is forged, damaged or expired, or its key is no longer valid. */
    Optional<Caller> check(String text) {
        int dot = text.indexOf('.');
        if (dot < 0 || text.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            String claim = new String(decode(text.substring(0, dot)), StandardCharsets.UTF_8);
            if (!MessageDigest.isEqual(sign(claim), decode(text.substring(dot + 1)))) {
                return Optional.empty();
            }
            int line = claim.indexOf('\n');
            Instant end = Instant.ofEpochSecond(Long.parseLong(claim.substring(0, line)));
            return clock.instant().isBefore(end) ? callers.findByName(claim.substring(line + 1)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private byte[] sign(String claim) {
        return ByteString.encodeUtf8(purpose + "\n" + claim)
                .hmacSha256(ByteString.of(callers.secret()))
                .toByteArray();
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] decode(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}
