package dev.parley.memory.erasure;

import dev.parley.domain.bank.BankRef;
import dev.parley.memory.erasure.ErasedBankRows.OwnedBank;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code memory.agent_memory_bank_t} by owner, and of {@code memory.deleted_agent_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ErasedBankRows extends GenericRepository<OwnedBank, UUID> {
    String COLUMNS = "b.host_id, b.project_key, b.agent, b.agent_id, b.user_id, b.branch, b.aggregate_version ";

    String OF_OWNER = """
            FROM memory.agent_memory_bank_t b WHERE b.host_id = :host AND CASE :kind
              WHEN 'user' THEN b.user_id = :owner WHEN 'project' THEN b.project_key = :owner
              WHEN 'agent' THEN b.agent_id = CAST(:owner AS uuid) END
            """;

    /** @param aggregateVersion sequence number of its newest event in the tables */
    @MappedEntity(value = "agent_memory_bank_t", schema = "memory")
    record OwnedBank(
            UUID hostId,
            @Nullable String projectKey,
            @Nullable String agent,
            @Nullable UUID agentId,
            @Nullable String userId,
            @Nullable String branch,
            long aggregateVersion) {
        BankRef ref() {
            return new BankRef(hostId, projectKey, agent, agentId, userId, branch);
        }
    }

    /**
     * Counts of the banks of an owner.
     *
     * @param whole false while the tables are being replayed
     */
    @Introspected
    record Counts(boolean whole, long active, long gone) {}

    /**
     * Active banks of an owner, at most 1,000.
     *
     * @param kind {@code user}, {@code project} by its key, or {@code agent}
     */
    @Query("SELECT " + COLUMNS + OF_OWNER + "AND b.active ORDER BY b.bank_id LIMIT 1000")
    List<OwnedBank> findActive(UUID host, String kind, String owner);

    /** @param lock held exclusively by a replay */
    @Query("""
            SELECT pg_try_advisory_xact_lock_shared(:lock) AS whole, count(*) FILTER (WHERE b.active) AS active,
              count(*) FILTER (WHERE NOT b.active) AS gone
            """ + OF_OWNER)
    Counts count(long lock, UUID host, String kind, String owner);

    /** Active banks of deleted agents, at most 1,000. */
    @Query("SELECT " + COLUMNS + """
            FROM memory.deleted_agent_t d JOIN memory.agent_memory_bank_t b USING (host_id, agent_id)
            WHERE b.active ORDER BY b.bank_id LIMIT 1000
            """)
    List<OwnedBank> findReopened();

    @Query("SELECT branch FROM memory.agent_memory_bank_t WHERE host_id = :host AND origin_id = :bank AND active")
    List<String> findBranches(UUID host, UUID bank);

    /** A duplicate changes nothing. */
    @Query("""
            INSERT INTO memory.deleted_agent_t (host_id, agent_id, deleted_ts) VALUES (:host, :agentId, :time)
            ON CONFLICT DO NOTHING
            """)
    void addDeletedAgent(UUID host, UUID agentId, Instant time);

    @Query("DELETE FROM memory.deleted_agent_t WHERE deleted_ts < :time")
    void deleteAgentsBefore(Instant time);
}
