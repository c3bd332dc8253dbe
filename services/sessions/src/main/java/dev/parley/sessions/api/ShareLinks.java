package dev.parley.sessions.api;

import dev.parley.domain.RecordKey;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.sessions.api.ShareLink.Shows;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps links to sessions. Of their secrets it keeps SHA-256 alone. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class ShareLinks {
    private static final int MOST = 20;

    private final Database database;
    private final ShareRows rows;

    ShareLinks(Database database, ShareRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /** A link that was made, with its secret, which nobody can be told again. */
    record Made(ShareLink link, Token token) {}

    /** Makes a link. @throws ApiException 409 where the session has many */
    Made make(Caller caller, RecordKey key, SessionJson session, Shows shows, Instant end) {
        Tenant tenant = caller.tenant(key.project());
        if (list(tenant, session.id()).size() >= MOST) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many_links",
                    "A session has at most " + MOST + " links: revoke one that nobody needs.");
        }
        Token token = Token.ofLink();
        var link = new ShareLink(
                UUID.randomUUID(),
                caller.host(),
                key.projectId(),
                key.project(),
                session.id(),
                caller.person().user(),
                token.prefix(),
                Token.hash(token.text()),
                shows.reasoning(),
                shows.toolOutputs(),
                Instant.now().truncatedTo(ChronoUnit.MICROS),
                end,
                caller.user());
        return new Made(database.in(tenant, () -> rows.save(link)), token);
    }

    /** The links of a session that work, the newest first. */
    List<ShareLink> list(Tenant tenant, UUID session) {
        return database.in(tenant, () -> rows.ofSession(session));
    }

    /** Ends a link; false where the session has none of this id. */
    boolean revoke(Caller caller, Tenant tenant, UUID session, UUID id) {
        return database.in(tenant, () -> rows.revoke(session, id, caller.user())) > 0;
    }

    /**
     * The link with this secret; empty where there is none, or it has ended. Wrong secrets need not be counted: of 256 random bits
     * nobody guesses any, however often they try, and the time that it takes tells nothing.
     */
    Optional<ShareLink> find(String secret) {
        return Token.prefixOf(secret)
                .flatMap(prefix -> database.in(Tenant.NONE, () -> rows.byPrefix(prefix)))
                .filter(link -> Token.matches(link.tokenHash(), secret))
                .filter(link -> Instant.now().isBefore(link.expiresAt()));
    }
}
