package dev.parley.control.people;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.auth_session_t}. Tokens are stored as digests only. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface SignInRows extends GenericRepository<SignIn, UUID> {
    /** The active sign-ins of a user, newest first. */
    @Query("""
            SELECT auth_session_id, method, address, user_agent, created_ts, refresh_until_ts FROM control.auth_session_t
            WHERE host_id = :host AND user_id = :user AND refresh_until_ts > now() ORDER BY created_ts DESC
            """)
    List<SignIn> list(UUID host, UUID user);

    /** Whether the sign-in was started by one of these methods since a time. */
    @Query("""
            SELECT EXISTS (SELECT FROM control.auth_session_t
              WHERE host_id = :host AND auth_session_id = :id AND method IN (:methods) AND created_ts > :since)
            """)
    boolean isBy(UUID host, UUID id, List<String> methods, Instant since);

    @Query("""
            INSERT INTO control.auth_session_t (host_id, auth_session_id, user_id, token_prefix, token_hash, expires_ts,
              refresh_hash, refresh_family, refresh_until_ts, method, address, user_agent)
            VALUES (:host, :id, :user, :prefix, :token, :expires, :refresh, :family, :until, :method, :address, :userAgent)
            """)
    void insert(
            UUID host,
            UUID id,
            UUID user,
            String prefix,
            byte[] token,
            Instant expires,
            byte[] refresh,
            byte[] family,
            Instant until,
            String method,
            @Nullable String address,
            @Nullable String userAgent);

    @Query("UPDATE control.user_t SET last_login_ts = clock_timestamp() WHERE user_id = :user")
    void signedIn(UUID user);

    /** The active sign-in with this prefix of refresh tokens, locked until the transaction ends. */
    @Query("""
            SELECT s.host_id, s.auth_session_id, s.user_id, s.token_prefix, s.aggregate_version,
              s.refresh_hash = :hash AS first,
              s.refresh_used_hash IS NOT DISTINCT FROM :hash
                AND s.refreshed_ts > now() - make_interval(secs => :moment) AS again
            FROM control.auth_session_t s
            JOIN control.user_host_t h ON h.host_id = s.host_id AND h.user_id = s.user_id AND h.active
            WHERE s.refresh_family = :family AND s.refresh_until_ts > now() FOR UPDATE OF s
            """)
    Optional<Refresh> refreshed(byte[] family, byte[] hash, int moment);

    @Query("""
            UPDATE control.auth_session_t SET token_hash = :token, expires_ts = :expires, refresh_hash = :refresh,
              refresh_used_hash = :used, refreshed_ts = now(), aggregate_version = aggregate_version + 1
            WHERE host_id = :host AND auth_session_id = :id
            """)
    void renew(UUID host, UUID id, byte[] token, Instant expires, byte[] refresh, byte[] used);

    /**
     * The token prefixes of sign-ins of a user, which are locked until the transaction ends.
     *
     * @param id null for all
     */
    @Query("""
            SELECT token_prefix FROM control.auth_session_t
            WHERE host_id = :host AND user_id = :user AND (CAST(:id AS uuid) IS NULL OR auth_session_id = :id) FOR UPDATE
            """)
    List<String> locked(UUID host, UUID user, @Nullable UUID id);

    /** @param id null for all of the user */
    @Query("""
            DELETE FROM control.auth_session_t
            WHERE host_id = :host AND user_id = :user AND (CAST(:id AS uuid) IS NULL OR auth_session_id = :id)
            """)
    void delete(UUID host, UUID user, @Nullable UUID id);

    @Query("DELETE FROM control.auth_session_t WHERE refresh_until_ts < now()")
    void deleteEnded();

    /** Keeps only the newest sign-ins of a user. */
    @Query("""
            DELETE FROM control.auth_session_t WHERE host_id = :host AND auth_session_id IN (
              SELECT auth_session_id FROM control.auth_session_t WHERE host_id = :host AND user_id = :user
              ORDER BY created_ts DESC OFFSET :limit)
            """)
    void deleteOldest(UUID host, UUID user, int limit);
}
