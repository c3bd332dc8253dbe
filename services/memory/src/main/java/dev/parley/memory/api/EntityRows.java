package dev.parley.memory.api;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code memory.agent_memory_entity_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface EntityRows extends GenericRepository<EntityJson, UUID> {
    String SELECT = """
        SELECT entity_id AS id, canonical_name AS name, mention_count AS mentions, update_ts AS updated_at
        FROM memory.agent_memory_entity_t WHERE host_id = :host AND bank_id = :bank
        """;

    /**
     * A page of entities, by descending mentions.
     *
     * @param name substring, ignoring case, or null
     * @param mentions of the last entity of the previous page, or null
     */
    @Query(SELECT + """
        AND (CAST(:name AS text) IS NULL OR strpos(lower(canonical_name), lower(CAST(:name AS text))) > 0)
        AND (CAST(:after AS uuid) IS NULL OR mention_count <= CAST(:mentions AS bigint)
          AND (mention_count < CAST(:mentions AS bigint) OR entity_id > CAST(:after AS uuid)))
        ORDER BY mention_count DESC, entity_id LIMIT :limit
        """)
    List<EntityJson> page(
            UUID host, UUID bank, @Nullable String name, @Nullable Long mentions, @Nullable UUID after, int limit);

    @Query(SELECT + "AND entity_id = :entity")
    Optional<EntityJson> find(UUID host, UUID bank, UUID entity);
}
