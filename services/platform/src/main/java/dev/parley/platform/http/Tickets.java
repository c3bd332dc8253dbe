package dev.parley.platform.http;

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
    /** How long a ticket opens a stream; the stream itself may last longer. */
    static final Duration LIFE = Duration.ofSeconds(60);

    private final SignedClaim claims;

    @Inject
    Tickets(Callers callers) {
        this(callers, Clock.systemUTC());
    }

    Tickets(Callers callers, Clock clock) {
        this.claims = new SignedClaim("parley ticket 1", callers, clock);
    }

    /** A ticket and when it ends. */
    public record Ticket(String ticket, Instant expiresAt) {}

    /** A ticket for this caller. */
    public Ticket issue(Caller caller) {
        Instant end = claims.clock().instant().plus(LIFE).truncatedTo(ChronoUnit.SECONDS);
        return new Ticket(claims.issue(caller, end), end);
    }

    /** Whose ticket this is; empty when it is forged, damaged or has ended. */
    Optional<Caller> check(String ticket) {
        return claims.check(ticket);
    }
}
