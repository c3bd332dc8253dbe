package dev.parley.memory.api;

import dev.parley.memory.api.MaintenanceController.DifferenceJson;
import dev.parley.platform.http.Cursor;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Repository of {@code memory.agent_memory_unit_t}. Its times are read as JSON and bound as text, because they may be
 * before 1582: Micronaut Data converts an {@link Instant} by a calendar that is Julian then.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface MemoryUnitRows extends GenericRepository<UnitJson, UUID> {
    String SELECT = """
            SELECT u.unit_id AS id, u.fact_type AS type, u.content AS text, u.context,
              CAST(u.metadata->>'confidence' AS float8) AS confidence,
              to_jsonb(u.event_date) AS date, to_jsonb(u.occurred_start) AS occurred_from,
              to_jsonb(u.occurred_end) AS occurred_to, to_jsonb(u.mentioned_at) AS mentioned_at,
              coalesce(u.metadata->'tags', '[]') AS tags, u.doc_id AS document, u.metadata->'provenance' AS provenance,
              u.proof_count, to_jsonb(u.source_memory_ids) AS sources,
              coalesce(CAST(u.metadata->>'version' AS int), 1) AS version, u.metadata->>'reason' AS reason,
              CASE WHEN NOT u.active THEN coalesce(u.metadata->'retired', '{}') END AS retired,
              u.aggregate_version AS seq, u.update_ts AS updated_at, NULL AS relations
            FROM memory.agent_memory_unit_t u
            """;

    /** A page of units, the newest first. */
    default List<UnitJson> page(Bank bank, UnitFilter filter, @Nullable Cursor after, int limit) {
        return page(
                bank.host(),
                bank.id(),
                !filter.retired(),
                filter.type(),
                filter.tag(),
                filter.entity(),
                filter.document(),
                text(filter.from()),
                text(filter.to()),
                filter.text(),
                after == null ? null : text(after.time()),
                Cursor.idOf(after),
                limit);
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }

    /** Like {@link #page(Bank, UnitFilter, Cursor, int)}; without an entity, nothing is joined. */
    @Query(SELECT + """
            LEFT JOIN memory.agent_memory_unit_entity_t m ON m.host_id = u.host_id AND m.bank_id = u.bank_id
              AND m.unit_id = u.unit_id AND m.entity_id = CAST(:entity AS uuid)
            WHERE u.host_id = :host AND u.bank_id = :bank AND u.active = :held
              AND (CAST(:entity AS uuid) IS NULL OR m.entity_id IS NOT NULL)
              AND (CAST(:type AS text) IS NULL OR u.fact_type = :type)
              AND (CAST(:document AS uuid) IS NULL OR u.doc_id = CAST(:document AS uuid))
              AND (CAST(:tag AS text) IS NULL OR u.metadata->'tags' @> to_jsonb(CAST(:tag AS text)))
              AND (CAST(:from AS timestamptz) IS NULL OR u.event_date >= CAST(:from AS timestamptz))
              AND (CAST(:to AS timestamptz) IS NULL OR u.event_date < CAST(:to AS timestamptz))
              AND (CAST(:text AS text) IS NULL OR strpos(lower(u.content), lower(CAST(:text AS text))) > 0)
              AND (CAST(:after AS uuid) IS NULL OR u.event_date <= CAST(:afterTime AS timestamptz)
                AND (u.event_date < CAST(:afterTime AS timestamptz) OR u.unit_id > CAST(:after AS uuid)))
            ORDER BY u.event_date DESC, u.unit_id LIMIT :limit
            """)
    List<UnitJson> page(
            UUID host,
            UUID bank,
            boolean held,
            @Nullable String type,
            @Nullable String tag,
            @Nullable UUID entity,
            @Nullable UUID document,
            @Nullable String from,
            @Nullable String to,
            @Nullable String text,
            @Nullable String afterTime,
            @Nullable UUID after,
            int limit);

    @Query(SELECT + "WHERE u.host_id = :host AND u.bank_id = :bank AND u.unit_id = :unit")
    Optional<UnitJson> find(UUID host, UUID bank, UUID unit);

    /** Units in which a branch differs from its bank, by id. */
    @Query("""
            SELECT unit_id AS unit, difference, bank_content AS bank_text, branch_content AS branch_text
            FROM memory.agent_memory_branch_diff_v
            WHERE host_id = :host AND branch_id = :branch AND unit_id > :after ORDER BY unit_id LIMIT :limit
            """)
    List<DifferenceJson> findDifferences(UUID host, UUID branch, UUID after, int limit);
}
