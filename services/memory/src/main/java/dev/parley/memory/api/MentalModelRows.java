package dev.parley.memory.api;

import dev.parley.memory.api.MentalModelJson.VersionJson;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Repository of {@code memory.agent_memory_mental_model_t}, with the units that are the answers. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface MentalModelRows extends GenericRepository<MentalModelJson, UUID> {
    String SELECT = """
            SELECT m.name, m.mental_model_id AS id, m.question, m.tags, m.rest_ms / 1000 AS rest_seconds, u.content AS answer,
              CAST(u.metadata->>'version' AS int) AS version, to_jsonb(coalesce(u.source_memory_ids, '{}')) AS sources,
              NULL AS versions, greatest(m.update_ts, u.update_ts) AS updated_at
            FROM memory.agent_memory_mental_model_t m
            LEFT JOIN memory.agent_memory_unit_t u ON u.host_id = m.host_id AND u.bank_id = m.bank_id
              AND u.unit_id = m.mental_model_id AND u.active
            WHERE m.host_id = :host AND m.bank_id = :bank
            """;

    /** All mental models of a bank, by name. */
    @Query(SELECT + "ORDER BY m.name")
    List<MentalModelJson> findOf(UUID host, UUID bank);

    @Query(SELECT + "AND m.mental_model_id = :id")
    Optional<MentalModelJson> find(UUID host, UUID bank, UUID id);

    /** The current and previous answers, the newest first. */
    @Query("""
            SELECT version, content AS answer, metadata->>'reason' AS reason, update_ts AS at
            FROM memory.agent_memory_unit_version_t
            WHERE host_id = :host AND bank_id = :bank AND unit_id = :id ORDER BY version DESC
            """)
    List<VersionJson> findVersions(UUID host, UUID bank, UUID id);
}
