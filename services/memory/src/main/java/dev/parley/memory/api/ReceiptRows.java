package dev.parley.memory.api;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code memory.agent_memory_erasure_t}; {@code kept} are the seconds that topics keep copies. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ReceiptRows extends GenericRepository<ReceiptJson, UUID> {
    String SELECT = """
            SELECT erasure_id AS id, whole, whole OR documents + units > 0 AS found, documents, units,
              update_user AS requested_by, update_ts AS erased_at, update_ts + make_interval(secs => :kept) AS log_clean_at,
              aggregate_version AS seq
            FROM memory.agent_memory_erasure_t WHERE host_id = :host AND bank_id = :bank
            """;

    /** A page of receipts, the newest first. */
    @Query(SELECT + """
            AND (CAST(:before AS bigint) IS NULL OR aggregate_version < CAST(:before AS bigint))
            ORDER BY aggregate_version DESC LIMIT :limit
            """)
    List<ReceiptJson> page(UUID host, UUID bank, long kept, @Nullable Long before, int limit);

    @Query(SELECT + "AND erasure_id = :id")
    Optional<ReceiptJson> find(UUID host, UUID bank, long kept, UUID id);
}
