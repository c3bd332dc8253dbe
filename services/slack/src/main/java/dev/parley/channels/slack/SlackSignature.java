package dev.parley.channels.slack;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import okio.Buffer;
import okio.ByteString;

/**
 * Signature of Slack's requests: {@code v0=<hex HMAC-SHA256 of "v0:time:body">}, keyed with the signing secret of the
 * app.
 *
 * @see <a href="https://docs.slack.dev/authentication/verifying-requests-from-slack">verifying requests</a>
 */
final class SlackSignature {
    static final String HEADER = "X-Slack-Signature";
    static final String TIME = "X-Slack-Request-Timestamp";

    private static final String VERSION = "v0";
    private static final Duration MAX_AGE = Duration.ofMinutes(5);
    private static final Pattern SECONDS = Pattern.compile("\\d{1,12}");
    private static final Pattern FORM = Pattern.compile(VERSION + "=[0-9a-f]{64}");

    private SlackSignature() {}

    /**
     * Signs a body.
     *
     * @param time seconds since 1970
     */
    static String of(String secret, String time, byte[] body) {
        ByteString signed = new Buffer()
                .writeUtf8(VERSION + ":" + time + ":")
                .write(body)
                .hmacSha256(ByteString.encodeUtf8(secret));
        return VERSION + "=" + signed.hex();
    }

    /** Whether a signature is valid and at most five minutes old; compares in constant time. */
    static boolean isOf(String secret, String time, byte[] body, String signature, Instant now) {
        if (!SECONDS.matcher(time).matches() || !FORM.matcher(signature).matches()) {
            return false;
        }
        boolean isRecent = Math.abs(now.getEpochSecond() - Long.parseLong(time)) <= MAX_AGE.toSeconds();
        return MessageDigest.isEqual(
                        of(secret, time, body).getBytes(StandardCharsets.UTF_8),
                        signature.getBytes(StandardCharsets.UTF_8))
                && isRecent;
    }
}
