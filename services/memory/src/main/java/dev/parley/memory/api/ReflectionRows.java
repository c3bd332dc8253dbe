package dev.parley.memory.api;

import dev.parley.memory.api.ReflectJson.ReflectionJson;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code memory.agent_memory_reflection_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ReflectionRows extends GenericRepository<ReflectionJson, UUID> {
    /** A page of reflections, the newest first. */
    @Query("""
            SELECT reflection_id AS id, question, content AS answer, coalesce(metadata->'basedOn', '[]') AS based_on,
              coalesce(metadata->'tags', '[]') AS tags, coalesce(metadata->>'how', '') AS how, metadata->>'model' AS model,
              active, update_ts AS updated_at
            FROM memory.agent_memory_reflection_t
            WHERE host_id = :host AND bank_id = :bank
              AND (CAST(:after AS uuid) IS NULL OR update_ts <= CAST(:afterTime AS timestamptz)
                AND (update_ts < CAST(:afterTime AS timestamptz) OR reflection_id < CAST(:after AS uuid)))
            ORDER BY update_ts DESC, reflection_id DESC LIMIT :limit
            """)
    List<ReflectionJson> page(UUID host, UUID bank, @Nullable Instant afterTime, @Nullable UUID after, int limit);
}
