package dev.parley.memory.api;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code memory.agent_memory_bank_t}, and of counts of the content of banks. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface MemoryBankRows extends GenericRepository<Bank, UUID> {
    /** A count of rows: {@code documents}, chunks that are {@code waiting}, {@code unit} with a type, and so on. */
    @Introspected
    record Count(String what, long n) {}

    Optional<Bank> findByHostAndId(UUID host, UUID id);

    /**
     * Banks of a host by id, without those of other users.
     *
     * @param scope code of a scope, or null for all
     */
    @Query("""
            SELECT host_id, bank_id, project_key, agent, agent_id, user_id, branch, bank_name, disposition, background, model,
              generation, other_generation, other_units, active, aggregate_version, update_ts
            FROM memory.agent_memory_bank_t
            WHERE host_id = :host AND (user_id IS NULL OR user_id = :user)
              AND (CAST(:project AS text) IS NULL OR project_key = :project)
              AND (CAST(:agent AS text) IS NULL OR agent = :agent)
              AND (CAST(:after AS uuid) IS NULL OR bank_id > CAST(:after AS uuid))
              AND (:inactive OR active)
              AND CASE CAST(:scope AS text)
                WHEN 'host' THEN project_id IS NULL
                WHEN 'agent' THEN agent IS NOT NULL AND user_id IS NULL
                WHEN 'user' THEN agent IS NULL AND user_id IS NOT NULL
                WHEN 'user_agent' THEN agent IS NOT NULL AND user_id IS NOT NULL
                ELSE true END
            ORDER BY bank_id LIMIT :limit
            """)
    List<Bank> page(
            UUID host,
            String user,
            @Nullable String scope,
            @Nullable String project,
            @Nullable String agent,
            boolean inactive,
            @Nullable UUID after,
            int limit);

    /** Number of banks of the same user, or of all agents, in a project; counts at most {@code limit}. */
    @Query("""
            SELECT count(*) FROM (SELECT FROM memory.agent_memory_bank_t
              WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid)
                AND user_id IS NOT DISTINCT FROM CAST(:user AS text) LIMIT :limit) AS found
            """)
    long countLike(UUID host, @Nullable UUID project, @Nullable String user, int limit);

    /** Counts of the content of a bank. */
    @Query("""
            SELECT 'documents' AS what, count(*) AS n FROM memory.agent_memory_doc_t WHERE host_id = :host AND bank_id = :bank
            UNION ALL SELECT 'waiting', coalesce(sum(cardinality(waiting)), 0) FROM memory.agent_memory_doc_t
              WHERE host_id = :host AND bank_id = :bank AND waiting <> '{}'
            UNION ALL SELECT 'unit ' || fact_type, count(*) FROM memory.agent_memory_unit_t
              WHERE host_id = :host AND bank_id = :bank AND active GROUP BY fact_type
            UNION ALL SELECT 'retired', count(*) FROM memory.agent_memory_unit_t
              WHERE host_id = :host AND bank_id = :bank AND NOT active
            UNION ALL SELECT 'entities', count(*) FROM memory.agent_memory_entity_t WHERE host_id = :host AND bank_id = :bank
            UNION ALL SELECT 'links', count(*) FROM memory.agent_memory_link_t WHERE host_id = :host AND bank_id = :bank
            """)
    List<Count> count(UUID host, UUID bank);
}
