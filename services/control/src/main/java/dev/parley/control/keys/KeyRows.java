package dev.parley.control.keys;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.api_key_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface KeyRows extends GenericRepository<KeyJson, UUID> {
    String SELECT = """
            SELECT k.api_key_id, k.name, k.key_prefix, p.project_key, k.permissions, k.usage_count, k.last_used_ts,
              k.created_ts, k.expires_ts, k.revoked_ts, k.aggregate_version
            FROM control.api_key_t k LEFT JOIN control.project_t p ON p.host_id = k.host_id AND p.project_id = k.project_id
            """;

    @Query(SELECT + "WHERE k.host_id = :host AND k.user_id = :user AND k.api_key_id = :id")
    Optional<KeyJson> find(UUID host, UUID user, UUID id);

    /** A key of a user, or of any user of the host, locked until the transaction ends. */
    @Query(SELECT
            + "WHERE k.host_id = :host AND k.api_key_id = :id AND (k.user_id = :user OR :anybodys) FOR UPDATE OF k")
    Optional<KeyJson> locked(UUID host, UUID user, boolean anybodys, UUID id);

    /**
     * A page of keys, newest first.
     *
     * @param user null for all
     * @param after the last id of the previous page, or null
     */
    @Query(SELECT + """
            WHERE k.host_id = :host AND (CAST(:user AS uuid) IS NULL OR k.user_id = :user)
              AND (CAST(:prefix AS text) IS NULL OR k.key_prefix = :prefix)
              AND (CAST(:after AS uuid) IS NULL
                   OR (k.created_ts, k.api_key_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY k.created_ts DESC, k.api_key_id DESC LIMIT :limit
            """)
    List<KeyJson> page(
            UUID host,
            @Nullable UUID user,
            @Nullable String prefix,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);

    /** Counts the valid keys of a user. */
    @Query("""
            SELECT count(*) FROM control.api_key_t
            WHERE host_id = :host AND user_id = :user AND active AND revoked_ts IS NULL
              AND (expires_ts IS NULL OR expires_ts > now())
            """)
    long countOpen(UUID host, UUID user);

    /** @param permissions a JSON array */
    @Query("""
            INSERT INTO control.api_key_t (host_id, api_key_id, user_id, name, key_prefix, key_hash, project_id,
              permissions, expires_ts, update_user)
            VALUES (:host, :id, :user, :name, :prefix, :hash, CAST(:project AS uuid), CAST(:permissions AS jsonb),
              CAST(:expires AS timestamptz), :actor)
            """)
    void insert(
            UUID host,
            UUID id,
            UUID user,
            String name,
            String prefix,
            byte[] hash,
            @Nullable UUID project,
            String permissions,
            @Nullable Instant expires,
            String actor);

    /** @return 0 where the key is already revoked, else 1 */
    @Query("""
            UPDATE control.api_key_t SET revoked_ts = now(), aggregate_version = aggregate_version + 1, update_ts = now(),
              update_user = :actor WHERE host_id = :host AND api_key_id = :id AND revoked_ts IS NULL
            """)
    int revoke(UUID host, UUID id, String actor);
}
