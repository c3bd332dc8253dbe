package dev.parley.control.credentials;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;

/** Repository of the sealed credentials of all hosts. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface SealedRows extends GenericRepository<SealedRow, UUID> {
    /** The number of credentials sealed by a master key. */
    @Introspected
    record Count(long key, long credentials) {}

    @Query("""
            SELECT master_key_id AS key, count(*) AS credentials FROM control.provider_credential_t
            GROUP BY master_key_id ORDER BY master_key_id
            """)
    List<Count> counts();

    /** A page of credentials that other keys sealed, with ids after {@code after}; locked rows are skipped. */
    @Query("""
            SELECT host_id, credential_id, sealed, master_key_id FROM control.provider_credential_t
            WHERE master_key_id <> :key AND credential_id > :after ORDER BY credential_id LIMIT :limit FOR UPDATE SKIP LOCKED
            """)
    List<SealedRow> others(long key, UUID after, int limit);

    /** Leaves the version unchanged, as no visible field changes. */
    @Query("""
            UPDATE control.provider_credential_t SET sealed = :sealed, master_key_id = :key
            WHERE host_id = :host AND credential_id = :id
            """)
    void update(UUID host, UUID id, byte[] sealed, long key);
}
