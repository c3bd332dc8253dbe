package dev.parley.platform.http;

import io.micronaut.context.annotation.Requires;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Short-lived tickets for browsers, whose EventSource and WebSocket cannot send a header. A ticket names the key that it was made with and
 * its end, is good while that key is, and is signed (HMAC-SHA256), so that any instance can check it.
 */
@Singleton
@Requires(property = "parley.admin-key")
public final class Tickets {
    /** How long a ticket opens a stream; the stream itself may last longer. */
    static final Duration LIFE = Duration.ofSeconds(60);

    private static final String PURPOSE = "parley ticket 1\n";
    private static final int MAX_LENGTH = 1_000;

    private final Callers callers;
    private final Clock clock;

    @Inject
    Tickets(Callers callers) {
        this(callers, Clock.systemUTC());
    }

    Tickets(Callers callers, Clock clock) {
        this.callers = callers;
        this.clock = clock;
    }

    /** A ticket and when it ends. */
    public record Ticket(String ticket, Instant expiresAt) {}

    /** A ticket for this caller. */
    public Ticket issue(Caller caller) {
        Instant end = clock.instant().plus(LIFE).truncatedTo(ChronoUnit.SECONDS);
        String claim = end.getEpochSecond() + "\n" + caller.key().prefix();
        return new Ticket(encode(claim.getBytes(StandardCharsets.UTF_8)) + "." + encode(sign(claim)), end);
    }

    /** Whose ticket this is; empty when it is forged, damaged or has ended. */
    Optional<Caller> check(String ticket) {
        int dot = ticket.indexOf('.');
        if (dot < 0 || ticket.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        try {
            String claim = new String(decode(ticket.substring(0, dot)), StandardCharsets.UTF_8);
            if (!MessageDigest.isEqual(sign(claim), decode(ticket.substring(dot + 1)))) {
                return Optional.empty();
            }
            int line = claim.indexOf('\n');
            Instant end = Instant.ofEpochSecond(Long.parseLong(claim.substring(0, line)));
            return clock.instant().isBefore(end) ? callers.byPrefix(claim.substring(line + 1)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private byte[] sign(String claim) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(callers.secret(), "HmacSHA256"));
            return mac.doFinal((PURPOSE + claim).getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] decode(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}
