package dev.parley.sessions.api;

import dev.parley.domain.RecordKey;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.sessions.api.ShareLink.Shows;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Keeps links to sessions. Of their secrets it keeps SHA-256 alone. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class ShareLinks {
    private static final int MOST = 20;

    private final Sql sql;

    ShareLinks(Database database) {
        this.sql = new Sql(database);
    }

    /** A link that was made, with its secret, which nobody can be told again. */
    record Made(ShareLink link, Token token) {}

    private record Found(ShareLink link, byte[] hash) {}

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
        UUID id = UUID.randomUUID();
        sql.as(tenant)
                .update(
                        """
                        INSERT INTO sessions.session_share_t (host_id, project_id, project_key, share_id, session_id, user_id, token_prefix,
                          token_hash, show_reasoning, show_tool_outputs, expires_ts, update_user)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                        caller.host(),
                        key.projectId(),
                        key.project(),
                        id,
                        session.id(),
                        caller.person().user(),
                        token.prefix(),
                        Token.hash(token.text()),
                        shows.reasoning(),
                        shows.toolOutputs(),
                        end,
                        caller.user());
        return list(tenant, session.id()).stream()
                .filter(link -> link.id().equals(id))
                .findFirst()
                .map(link -> new Made(link, token))
                .orElseThrow();
    }

    /** The links of a session that work, the newest first. */
    List<ShareLink> list(Tenant tenant, UUID session) {
        return sql.as(tenant).query("SELECT " + ShareLink.COLUMNS + """
                         FROM sessions.session_share_t
                        WHERE session_id = ? AND active AND expires_ts > now() ORDER BY created_ts DESC, share_id""", ShareLinks::all, session);
    }

    private static List<ShareLink> all(ResultSet row) throws SQLException {
        var links = new ArrayList<ShareLink>();
        while (row.next()) {
            links.add(ShareLink.of(row));
        }
        return links;
    }

    /** Ends a link; false where the session has none of this id. */
    boolean revoke(Caller caller, Tenant tenant, UUID session, UUID id) {
        return sql.as(tenant).update("""
                                UPDATE sessions.session_share_t SET active = false, update_ts = now(), update_user = ?,
                                       aggregate_version = aggregate_version + 1
                                 WHERE session_id = ? AND share_id = ? AND active""", caller.user(), session, id) > 0;
    }

    /**
     * The link with this secret; empty where there is none, or it has ended. Wrong secrets need not be counted: of 256 random bits
     * nobody guesses any, however often they try, and the time that it takes tells nothing.
     */
    Optional<ShareLink> find(String secret) {
        return Token.prefixOf(secret)
                .flatMap(prefix ->
                        sql.as(Tenant.NONE).query("SELECT * FROM sessions.share_of(?)", ShareLinks::found, prefix))
                .filter(found -> Token.matches(found.hash(), secret))
                .map(Found::link)
                .filter(link -> Instant.now().isBefore(link.expiresAt()));
    }

    private static Optional<Found> found(ResultSet row) throws SQLException {
        return row.next() ? Optional.of(new Found(ShareLink.of(row), row.getBytes("token_hash"))) : Optional.empty();
    }
}
