package dev.parley.control.credentials;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.provider_credential_t}. The user of a host credential is null. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface CredentialRows extends GenericRepository<CredentialRow, UUID> {
    String COLUMNS =
            "host_id, credential_id, user_id, provider, name, last4, is_default, created_ts, update_ts, aggregate_version ";

    String OWN = """
            host_id = :host AND (user_id = CAST(:user AS uuid) OR CAST(:user AS uuid) IS NULL AND user_id IS NULL)
            """;
    String CHANGED = """
            aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            """;

    @Query("SELECT count(*) FROM control.provider_credential_t WHERE active AND " + OWN)
    long count(UUID host, @Nullable UUID user);

    @Query("SELECT " + COLUMNS + "FROM control.provider_credential_t WHERE credential_id = :id AND " + OWN)
    Optional<CredentialRow> find(UUID host, @Nullable UUID user, UUID id);

    /**
     * A page of credentials, newest first.
     *
     * @param provider null for all
     * @param after the last id of the previous page, or null
     */
    @Query("SELECT " + COLUMNS + "FROM control.provider_credential_t WHERE " + OWN + """
            AND (CAST(:provider AS text) IS NULL OR provider = :provider)
             AND (CAST(:after AS uuid) IS NULL
                  OR (created_ts, credential_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY created_ts DESC, credential_id DESC LIMIT :limit
            """)
    List<CredentialRow> page(
            UUID host,
            @Nullable UUID user,
            @Nullable String provider,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);

    /** Inserts a credential; the first of a provider is the default. */
    @Query("""
            INSERT INTO control.provider_credential_t (host_id, credential_id, user_id, provider, name, sealed,
              master_key_id, last4, is_default, update_user)
            VALUES (:host, :id, CAST(:user AS uuid), :provider, :name, :sealed, :key, :last4, :isDefault OR NOT EXISTS (
              SELECT FROM control.provider_credential_t WHERE provider = :provider AND is_default AND
            """ + OWN + """
            ), :actor) RETURNING
            """ + COLUMNS)
    CredentialRow insert(
            UUID host,
            UUID id,
            @Nullable UUID user,
            String provider,
            @Nullable String name,
            byte[] sealed,
            long key,
            String last4,
            boolean isDefault,
            String actor);

    /** Updates a credential; an empty name clears the name, null leaves it unchanged. */
    @Query("""
            UPDATE control.provider_credential_t SET
              name = CASE WHEN CAST(:name AS text) IS NULL THEN name ELSE nullif(:name, '') END,
              is_default = is_default OR :isDefault,
            """ + CHANGED + """
            WHERE host_id = :host AND credential_id = :id RETURNING
            """ + COLUMNS)
    CredentialRow update(UUID host, UUID id, @Nullable String name, boolean isDefault, String actor);

    @Query("""
            UPDATE control.provider_credential_t SET sealed = :sealed, master_key_id = :key, last4 = :last4
            WHERE host_id = :host AND credential_id = :id
            """)
    void setKey(UUID host, UUID id, byte[] sealed, long key, String last4);

    @Query("UPDATE control.provider_credential_t SET is_default = false, " + CHANGED
            + "WHERE provider = :provider AND is_default AND " + OWN)
    void unsetDefault(UUID host, @Nullable UUID user, String provider, String actor);

    /** Makes the owner's newest credential the default. */
    @Query("UPDATE control.provider_credential_t SET is_default = true, " + CHANGED + """
            WHERE host_id = :host AND credential_id = (
              SELECT credential_id FROM control.provider_credential_t WHERE provider = :provider AND
            """ + OWN + """
            ORDER BY created_ts DESC, credential_id DESC LIMIT 1)
            """)
    void setDefault(UUID host, @Nullable UUID user, String provider, String actor);

    void deleteByHostIdAndCredentialId(UUID host, UUID id);
}
