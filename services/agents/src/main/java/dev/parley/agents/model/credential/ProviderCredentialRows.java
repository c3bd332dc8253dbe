package dev.parley.agents.model.credential;

import dev.parley.agents.model.credential.ProviderCredentialRows.Row;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Repository of {@code control.provider_credential_t}, the only table of another service that is read directly: secrets
 * must not be written to a topic, not even encrypted.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ProviderCredentialRows extends GenericRepository<Row, UUID> {
    String SELECT = """
            SELECT credential_id, user_id, sealed, master_key_id FROM control.provider_credential_t
            WHERE host_id = :host AND provider = :provider AND active AND (user_id IS NULL OR user_id = CAST(:user AS uuid))
            """;

    /**
     * An encrypted key.
     *
     * @param userId its owner, or null for one of the host
     * @param masterKeyId the id of the master key that encrypted it
     */
    @MappedEntity(value = "provider_credential_t", schema = "control")
    record Row(@Id UUID credentialId, @Nullable UUID userId, byte[] sealed, long masterKeyId) {
        @Override
        public String toString() {
            return "Row[" + credentialId + "]";
        }
    }

    @Query(SELECT + "AND is_default ORDER BY user_id NULLS LAST LIMIT 1")
    Optional<Row> findDefault(UUID host, String provider, @Nullable UUID user);

    @Query(SELECT + "AND credential_id = :id")
    Optional<Row> find(UUID host, String provider, @Nullable UUID user, UUID id);
}
