package dev.parley.platform.http.signin;

import dev.parley.platform.http.Caller;
import dev.parley.platform.http.Callers;
import dev.parley.platform.http.signin.SignedClaim.Valid;
import dev.parley.platform.sealing.InstallationKey.Purpose;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Short-lived tickets for browsers, whose EventSource and WebSocket cannot send headers. */
@Singleton
@Requires(property = "parley.admin-key")
public final class Tickets {
    /** Validity of a ticket for opening a stream, which may last longer. */
    static final Duration LIFE = Duration.ofSeconds(60);

    private final SignedClaim claims;

    @Inject
    Tickets(Callers callers, ClaimKeys keys) {
        this(callers, keys, Clock.systemUTC());
    }

    Tickets(Callers callers, ClaimKeys keys, Clock clock) {
        this.claims = new SignedClaim(keys.macs(Purpose.TICKETS), callers, clock);
    }

    /** A ticket and its expiry. */
    public record Ticket(String ticket, Instant expiresAt) {}

    /** Issues a ticket for a caller. */
    public Ticket issue(Caller caller) {
        Instant end = claims.clock().instant().plus(LIFE).truncatedTo(ChronoUnit.SECONDS);
        return new Ticket(claims.issue(caller, end), end);
    }

    /** The caller of a ticket; empty if it is forged, damaged or expired. */
    public Optional<Caller> check(String ticket) {
        return claims.check(ticket).map(Valid::caller);
    }
}
