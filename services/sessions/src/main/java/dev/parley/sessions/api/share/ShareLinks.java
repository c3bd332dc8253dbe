package dev.parley.sessions.api.share;

import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.platform.access.BearerToken;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.sessions.api.SessionJson;
import dev.parley.sessions.api.share.ShareLink.Shows;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores share links. Only the SHA-256 of a secret is stored. */
@Singleton
final class ShareLinks {
    private static final int MAX_LINKS = 20;

    private final Database database;
    private final ShareRows rows;

    ShareLinks(Database database, ShareRows rows) {
        this.database = database;
        this.rows = rows;
    }

    /** A new link with its secret, which is available only here. */
    record Made(ShareLink link, BearerToken token) {}

    /**
     * Creates a link.
     *
     * @throws ApiException 409 where the session has many
     */
    Made make(Caller caller, RecordKey key, SessionJson session, Shows shows, Instant end) {
        BearerToken token = BearerToken.ofLink();
        var link = new ShareLink(
                UUID.randomUUID(),
                caller.host(),
                key.projectId(),
                key.project(),
                session.id(),
                caller.person().user(),
                token.prefix(),
                Sha256.of(token.text()),
                shows.reasoning(),
                shows.toolOutputs(),
                Instant.now().truncatedTo(ChronoUnit.MICROS),
                end,
                caller.user());
        ShareLink saved = database.in(caller.tenant(key.project()), transaction -> {
            requireRoom(transaction, session.id());
            return rows.save(link);
        });
        return new Made(saved, token);
    }

    private void requireRoom(Transaction transaction, UUID session) {
        transaction.lock("quota/share links/" + session);
        if (rows.ofSession(session).size() >= MAX_LINKS) {
            throw new ApiException(
                    HttpStatus.CONFLICT,
                    "too_many_links",
                    "A session has at most " + MAX_LINKS + " active links: revoke one first.");
        }
    }

    /** The active links of a session, the newest first. */
    List<ShareLink> list(Tenant tenant, UUID session) {
        return database.in(tenant, () -> rows.ofSession(session));
    }

    /** Revokes a link; false where the session has no active link with this id. */
    boolean revoke(Caller caller, Tenant tenant, UUID session, UUID id) {
        return database.in(tenant, () -> rows.revoke(session, id, caller.user())) > 0;
    }

    /**
     * The active link with this secret. Failed attempts need no limit: a secret has 256 random bits, and the comparison
     * takes constant time.
     */
    Optional<ShareLink> find(String secret) {
        return BearerToken.prefixOf(secret)
                .flatMap(prefix -> database.in(Tenant.NONE, () -> rows.byPrefix(prefix)))
                .filter(link -> BearerToken.matches(link.tokenHash(), secret))
                .filter(link -> Instant.now().isBefore(link.expiresAt()));
    }
}
