package dev.parley.memory.api;

import dev.parley.memory.api.EntityJson.NeighbourJson;
import dev.parley.memory.api.GraphJson.EdgeJson;
import dev.parley.memory.api.GraphJson.NodeJson;
import dev.parley.memory.api.UnitJson.LinkJson;
import dev.parley.memory.api.UnitJson.NamedJson;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.UUID;

/**
 * Repository of {@code memory.agent_memory_link_t} and of other relations of units and entities. Times are read as
 * JSON, as {@link MemoryUnitRows} explains.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface LinkRows extends GenericRepository<LinkJson, UUID> {
    /** A unit that is about an entity. */
    @Introspected
    record Mention(UUID unit, UUID entity, String name) {}

    /** The links of a unit in both directions, by descending weight. */
    @Query("""
            SELECT to_unit_id AS unit, link_type AS type, true AS outgoing, weight FROM memory.agent_memory_link_t
            WHERE host_id = :host AND bank_id = :bank AND from_unit_id = :unit
            UNION ALL
            SELECT from_unit_id, link_type, false, weight FROM memory.agent_memory_link_t
            WHERE host_id = :host AND bank_id = :bank AND to_unit_id = :unit
            ORDER BY weight DESC, unit, type, outgoing LIMIT :limit
            """)
    List<LinkJson> findLinks(UUID host, UUID bank, UUID unit, int limit);

    /** The entities that a unit mentions, by name. */
    @Query("""
            SELECT m.entity_id AS id, e.canonical_name AS name FROM memory.agent_memory_unit_entity_t m
            JOIN memory.agent_memory_entity_t e USING (host_id, bank_id, entity_id)
            WHERE m.host_id = :host AND m.bank_id = :bank AND m.unit_id = :unit ORDER BY name, id LIMIT :limit
            """)
    List<NamedJson> findEntities(UUID host, UUID bank, UUID unit, int limit);

    /** The units derived from a unit. */
    @Query("""
            SELECT unit_id FROM memory.agent_memory_unit_source_t
            WHERE host_id = :host AND bank_id = :bank AND source_id = :unit ORDER BY unit_id LIMIT :limit
            """)
    List<UUID> findDerived(UUID host, UUID bank, UUID unit, int limit);

    /** The units that a unit replaces, the newest first. */
    @Query("""
            SELECT unit_id FROM memory.agent_memory_unit_t
            WHERE host_id = :host AND bank_id = :bank AND NOT active AND metadata#>>'{retired,replacedBy}' = CAST(:unit AS text)
            ORDER BY event_date DESC, unit_id LIMIT :limit
            """)
    List<UUID> findReplaced(UUID host, UUID bank, UUID unit, int limit);

    /** Entities mentioned together with one, the most frequent first. */
    @Query("""
            SELECT e.entity_id AS id, e.canonical_name AS name, c.cooccur_count AS together,
              to_jsonb(c.last_cooccurred) AS last FROM (
              (SELECT entity_id_2 AS entity_id, cooccur_count, last_cooccurred FROM memory.agent_memory_entity_cooccur_t
               WHERE host_id = :host AND bank_id = :bank AND entity_id_1 = :entity ORDER BY cooccur_count DESC LIMIT :limit)
              UNION ALL
              (SELECT entity_id_1, cooccur_count, last_cooccurred FROM memory.agent_memory_entity_cooccur_t
               WHERE host_id = :host AND bank_id = :bank AND entity_id_2 = :entity ORDER BY cooccur_count DESC LIMIT :limit)) c
            JOIN memory.agent_memory_entity_t e ON e.host_id = :host AND e.bank_id = :bank AND e.entity_id = c.entity_id
            ORDER BY together DESC, id LIMIT :limit
            """)
    List<NeighbourJson> findNeighbours(UUID host, UUID bank, UUID entity, int limit);

    /** The newest units that are held to be true. */
    @Query("""
            SELECT unit_id FROM memory.agent_memory_unit_t
            WHERE host_id = :host AND bank_id = :bank AND active ORDER BY event_date DESC, unit_id LIMIT :limit
            """)
    List<UUID> findNewest(UUID host, UUID bank, int limit);

    /** The newest units about an entity. */
    @Query("""
            SELECT unit_id FROM memory.agent_memory_unit_entity_t
            WHERE host_id = :host AND bank_id = :bank AND entity_id = :entity
            ORDER BY aggregate_version DESC, unit_id DESC LIMIT :limit
            """)
    List<UUID> findAbout(UUID host, UUID bank, UUID entity, int limit);

    /** Units as nodes, the newest first. */
    @Query("""
            SELECT unit_id AS id, 'unit' AS kind, fact_type AS type, content AS text, to_jsonb(event_date) AS date
            FROM memory.agent_memory_unit_t
            WHERE host_id = :host AND bank_id = :bank AND unit_id IN (:units) ORDER BY event_date DESC, unit_id
            """)
    List<NodeJson> findNodes(UUID host, UUID bank, List<UUID> units);

    /** The strongest links between units. */
    @Query("""
            SELECT from_unit_id AS "from", to_unit_id AS "to", link_type AS type, weight FROM memory.agent_memory_link_t
            WHERE host_id = :host AND bank_id = :bank AND from_unit_id IN (:units) AND to_unit_id IN (:units)
            ORDER BY weight DESC, from_unit_id, to_unit_id, link_type LIMIT 1000
            """)
    List<EdgeJson> findEdges(UUID host, UUID bank, List<UUID> units);

    /** The entities that units mention, at most 1,000. */
    @Query("""
            SELECT m.unit_id AS unit, m.entity_id AS entity, e.canonical_name AS name
            FROM memory.agent_memory_unit_entity_t m JOIN memory.agent_memory_entity_t e USING (host_id, bank_id, entity_id)
            WHERE m.host_id = :host AND m.bank_id = :bank AND m.unit_id IN (:units) ORDER BY unit, entity LIMIT 1000
            """)
    List<Mention> findMentions(UUID host, UUID bank, List<UUID> units);
}
