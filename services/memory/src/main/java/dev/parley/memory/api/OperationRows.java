package dev.parley.memory.api;

import dev.parley.memory.api.DocJson.OperationJson;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code memory.agent_memory_operation_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface OperationRows extends GenericRepository<OperationRow, UUID> {
    /**
     * An operation with its document.
     *
     * @param waiting chunks that are not read yet; null without a document
     * @param command that retained the document as it is
     */
    @Introspected
    record Progress(
            UUID operationId,
            UUID docId,
            String state,
            @Nullable String code,
            @Nullable String message,
            @Nullable Integer waiting,
            @Nullable String command) {
        /** @param lagging whether the tables may lag: a document with this id may still be an earlier one */
        OperationJson json(boolean lagging) {
            boolean taken =
                    !lagging && state.equals("taken") || operationId.toString().equals(command);
            // An accepted document appears later if it is missing: operations are deleted together with their document.
            Integer remaining = taken ? waiting : null;
            String progress =
                    state.equals("refused") ? state : remaining != null && remaining == 0 ? "done" : "pending";
            return new OperationJson(operationId, docId, progress, remaining, code, message);
        }
    }

    /** Progress of retained documents; unknown ids are left out. */
    @Query("""
            SELECT o.operation_id, o.doc_id, o.state, o.code, o.message, cardinality(d.waiting) AS waiting,
              d.metadata->>'command' AS command
            FROM memory.agent_memory_operation_t o LEFT JOIN memory.agent_memory_doc_t d USING (host_id, bank_id, doc_id)
            WHERE o.host_id = :host AND o.bank_id = :bank AND o.operation_id IN (:operations)
            """)
    List<Progress> findProgress(UUID host, UUID bank, List<UUID> operations);

    /** Inserts operations, or updates those without an outcome. */
    @Query("""
            INSERT INTO memory.agent_memory_operation_t AS o
              (host_id, bank_id, project_id, operation_id, doc_id, state, code, message, update_user)
            VALUES (:hostId, :bankId, CAST(:projectId AS uuid), :operationId, :docId, :state, CAST(:code AS text),
              CAST(:message AS text), :updateUser)
            ON CONFLICT (host_id, bank_id, operation_id) DO UPDATE SET state = excluded.state, code = excluded.code,
              message = excluded.message WHERE o.state = 'given'
            """)
    void putAll(List<OperationRow> rows);

    /** Deletes operations older than a week. */
    @Query("""
            DELETE FROM memory.agent_memory_operation_t
            WHERE host_id = :host AND bank_id = :bank AND update_ts < now() - interval '7 days'
            """)
    void purge(UUID host, UUID bank);
}
