package dev.parley.control.people;

import dev.parley.control.audit.Audit;
import dev.parley.control.audit.Audit.Entry;
import dev.parley.control.http.Columns;
import dev.parley.control.http.NewIds;
import dev.parley.control.outbox.Published;
import dev.parley.control.people.People.Candidate;
import dev.parley.domain.access.AccessRecord.AccessKey;
import dev.parley.domain.access.AccessRecord.KeyKind;
import dev.parley.platform.access.Token;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed in. A token is good for an hour; a second, longer-lived one fetches the next pair and is used up by that. Who
 * shows one that was used up before may have stolen it: then that sign-in ends.
 */
@Singleton
@Requires(property = "parley.role.control", value = "true")
final class SignIns {
    /** How long a token is good. */
    static final Duration LIFE = Duration.ofHours(1);

    private static final Duration REFRESH = Duration.ofDays(30);
    private static final int MOST = 50;
    private static final int MOMENT_SECONDS = 10;

    private final Database database;
    private final Published published;

    SignIns(Database database, Published published) {
        this.database = database;
        this.published = published;
    }

    /** What somebody who signs in is given; it is not kept here. */
    record Granted(UUID id, String token, Instant expiresAt, String refreshToken, long version) {
        /** Without what is secret. */
        @Override
        public String toString() {
            return "Granted[" + id + "]";
        }
    }

    /** A sign-in, as its owner sees it. */
    record SignIn(
            UUID id,
            String method,
            @Nullable String address,
            @Nullable String userAgent,
            Instant createdAt,
            Instant until) {}

    /** How somebody signed in with a code that shows that an account is theirs whatever its password is. */
    static final List<String> BY_CODE = List.of("email", "administrator");

    private static final Duration LATELY = Duration.ofMinutes(15);

    /** Where somebody signs in from. */
    record Client(@Nullable String address, @Nullable String userAgent) {}

    /** Whether this sign-in was begun a moment ago with such a code. */
    boolean isByCode(UUID host, UUID id) {
        return database.in(
                Tenant.of(host),
                transaction -> transaction.query(
                        """
                        SELECT FROM control.auth_session_t
                        WHERE host_id = ? AND auth_session_id = ? AND method = ANY (?) AND created_ts > ?
                        """,
                        ResultSet::next,
                        host,
                        id,
                        BY_CODE.toArray(String[]::new),
                        Instant.now().minus(LATELY)));
    }

    /** Signs somebody in, who has proved who they are. */
    Granted open(UUID host, UUID user, String method, Client client) {
        UUID id = NewIds.next();
        Granted granted = database.in(Tenant.ALL, transaction -> {
            Token token = Token.make(KeyKind.SIGN_IN);
            String refresh = Token.random() + "." + Token.random();
            Instant now = Instant.now();
            transaction.update("DELETE FROM control.auth_session_t WHERE refresh_until_ts < now()");
            transaction.update(
                    """
                    INSERT INTO control.auth_session_t (host_id, auth_session_id, user_id, token_prefix, token_hash, expires_ts,
                      refresh_hash, refresh_family, refresh_until_ts, method, address, user_agent)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    host,
                    id,
                    user,
                    token.prefix(),
                    Token.hash(token.text()),
                    now.plus(LIFE),
                    Token.hash(refresh),
                    Token.hash(familyOf(refresh)),
                    now.plus(REFRESH),
                    method,
                    client.address(),
                    client.userAgent());
            transaction.update("""
                    DELETE FROM control.auth_session_t WHERE host_id = ? AND auth_session_id IN (
                      SELECT auth_session_id FROM control.auth_session_t WHERE host_id = ? AND user_id = ?
                      ORDER BY created_ts DESC OFFSET %d)
                    """.formatted(MOST), host, host, user);
            transaction.update("UPDATE control.user_t SET last_login_ts = clock_timestamp() WHERE user_id = ?", user);
            Audit.add(transaction, Entry.done(host, null, "sign-in", method, id, user.toString()));
            return new Granted(id, token.text(), now.plus(LIFE), refresh, 1);
        });
        await(granted);
        return granted;
    }

    private void await(Granted granted) {
        published.await(AccessKey.key(Token.prefixOf(granted.token()).orElseThrow()), granted.version());
    }

    /** How a refresh token stands to its sign-in. */
    private enum Use {
        FIRST,
        /** It was used a moment ago: two tabs of a browser have it. */
        AGAIN,
        STOLEN
    }

    /** Writes down that somebody could not show that they are this person; names that nobody has are not kept. */
    void failed(Candidate person) {
        database.in(Tenant.of(person.host()), transaction -> {
            String user = person.user().toString();
            Audit.add(
                    transaction,
                    Entry.done(person.host(), null, "sign-in", "password", user, user)
                            .failed("The password was wrong, or they were removed."));
            return null;
        });
    }

    private record Found(UUID host, UUID id, UUID user, String prefix, long version, Use use) {}

    /**
     * The next pair of tokens.
     *
     * @throws ApiException 401 where the token is none or has ended, also because it was used before; 409 where that was a
     *     moment ago
     */
    Granted refresh(String refreshToken) {
        byte[] hash = Token.hash(refreshToken);
        byte[] family = Token.hash(familyOf(refreshToken));
        @Nullable
        Granted granted = database.in(Tenant.ALL, transaction -> {
            Optional<Found> found = transaction.query(
                    """
                    SELECT s.host_id, s.auth_session_id, s.user_id, s.token_prefix, s.aggregate_version,
                      s.refresh_hash = ? AS first,
                      s.refresh_used_hash IS NOT DISTINCT FROM ? AND s.refreshed_ts > now() - interval '%d seconds' AS again
                    FROM control.auth_session_t s
                    JOIN control.user_host_t h ON h.host_id = s.host_id AND h.user_id = s.user_id AND h.active
                    WHERE s.refresh_family = ? AND s.refresh_until_ts > now() FOR UPDATE OF s
                    """.formatted(MOMENT_SECONDS), row -> Columns.first(row, SignIns::found), hash, hash, family);
            return found.map(one -> switch (one.use()) {
                        case FIRST -> renewed(transaction, one, hash, familyOf(refreshToken));
                        case AGAIN ->
                            throw new ApiException(
                                    HttpStatus.CONFLICT,
                                    "refreshed_just_now",
                                    "This token was used a moment ago: use the pair that was given then.");
                        case STOLEN -> {
                            end(transaction, one);
                            yield null;
                        }
                    })
                    .orElse(null);
        });
        if (granted == null) {
            throw new ApiException(
                    HttpStatus.UNAUTHORIZED,
                    "unauthorized",
                    "The refresh token is wrong, or it has ended: sign in again.");
        }
        await(granted);
        return granted;
    }

    /** What all refresh tokens of a sign-in begin with; it is as secret as they are. */
    private static String familyOf(String refreshToken) {
        int dot = refreshToken.indexOf('.');
        return dot < 0 ? "" : refreshToken.substring(0, dot);
    }

    private static Found found(ResultSet row) throws SQLException {
        return new Found(
                Columns.uuid(row, "host_id"),
                Columns.uuid(row, "auth_session_id"),
                Columns.uuid(row, "user_id"),
                row.getString("token_prefix"),
                row.getLong("aggregate_version"),
                row.getBoolean("first") ? Use.FIRST : row.getBoolean("again") ? Use.AGAIN : Use.STOLEN);
    }

    private static void end(Transaction transaction, Found found) {
        transaction.update(
                "DELETE FROM control.auth_session_t WHERE host_id = ? AND auth_session_id = ?",
                found.host(),
                found.id());
        Audit.add(
                transaction,
                Entry.done(
                                found.host(),
                                null,
                                "sign-in",
                                "refresh",
                                found.id(),
                                found.user().toString())
                        .failed("A refresh token came a second time: the sign-in was ended."));
    }

    /** The new token begins as the one before, so that what was opened with that one goes on. */
    private static Granted renewed(Transaction transaction, Found found, byte[] used, String family) {
        Token token = Token.after(found.prefix());
        String refresh = family + "." + Token.random();
        Instant end = Instant.now().plus(LIFE);
        transaction.update("""
                UPDATE control.auth_session_t SET token_hash = ?, expires_ts = ?, refresh_hash = ?, refresh_used_hash = ?,
                  refreshed_ts = now(), aggregate_version = aggregate_version + 1
                WHERE host_id = ? AND auth_session_id = ?
                """, Token.hash(token.text()), end, Token.hash(refresh), used, found.host(), found.id());
        return new Granted(found.id(), token.text(), end, refresh, found.version() + 1);
    }

    /** Those of a person, the newest first. */
    List<SignIn> list(UUID host, UUID user) {
        return database.in(
                Tenant.of(host),
                transaction -> transaction.query(
                        """
                        SELECT auth_session_id, method, address, user_agent, created_ts, refresh_until_ts
                        FROM control.auth_session_t WHERE host_id = ? AND user_id = ? AND refresh_until_ts > now()
                        ORDER BY created_ts DESC
                        """,
                        row -> Columns.all(
                                row,
                                one -> new SignIn(
                                        Columns.uuid(one, "auth_session_id"),
                                        one.getString("method"),
                                        one.getString("address"),
                                        one.getString("user_agent"),
                                        Columns.time(one, "created_ts"),
                                        Columns.time(one, "refresh_until_ts"))),
                        host,
                        user));
    }

    /**
     * Ends one sign-in of a person, or all of them.
     *
     * @param id null for all
     * @return whether there was one
     */
    boolean end(UUID host, UUID user, @Nullable UUID id) {
        List<String> prefixes = database.in(Tenant.of(host), transaction -> {
            List<String> gone =
                    transaction.query("""
                    DELETE FROM control.auth_session_t
                    WHERE host_id = ? AND user_id = ? AND (?::uuid IS NULL OR auth_session_id = ?) RETURNING token_prefix
                    """, row -> Columns.all(row, one -> one.getString(1)), host, user, id, id);
            Audit.add(transaction, Entry.done(host, null, "sign-in", "end", id == null ? "all" : id, user.toString()));
            return gone;
        });
        prefixes.forEach(prefix -> published.await(AccessKey.key(prefix), null));
        return !prefixes.isEmpty();
    }
}
