package dev.parley.memory.api;

import dev.parley.memory.api.EntityJson.NeighbourJson;
import dev.parley.memory.api.GraphJson.EdgeJson;
import dev.parley.memory.api.GraphJson.NodeJson;
import dev.parley.memory.api.UnitJson.LinkJson;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.Cursor;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Queries of entities, and of the graph of units and entities. */
@Singleton
@Requires(property = "parley.role.memory", value = "true")
final class EntityQueries extends Queries {
    private static final int MAX_EDGES = 1_000;

    private final LinkRows links;

    EntityQueries(Database database, LinkRows links) {
        super(database);
        this.links = links;
    }

    /** A page of entities, by descending mentions. */
    List<EntityJson> entities(Bank bank, @Nullable String name, @Nullable Cursor after, int limit) {
        var select = of(bank, "e", "SELECT " + EntityJson.COLUMNS + " FROM memory.agent_memory_entity_t e")
                .withIf(name, "AND strpos(lower(e.canonical_name), lower(?)) > 0");
        if (after != null) {
            select.with(
                    "AND e.mention_count <= ? AND (e.mention_count < ? OR e.entity_id > ?)",
                    after.firstNumber(),
                    after.firstNumber(),
                    after.id());
        }
        return all(bank, select.with("ORDER BY e.mention_count DESC, e.entity_id LIMIT ?", limit), EntityJson::of);
    }

    /** An entity. */
    Optional<EntityJson> entity(Bank bank, UUID id) {
        var select = of(bank, "e", "SELECT " + EntityJson.COLUMNS + " FROM memory.agent_memory_entity_t e")
                .with("AND e.entity_id = ?", id);
        return first(bank, select, EntityJson::of);
    }

    /** Entities mentioned together with one, the most frequent first. */
    List<NeighbourJson> neighbours(Bank bank, UUID id, int limit) {
        return database.in(bank.tenant(), () -> links.findNeighbours(bank.ref().host(), bank.id(), id, limit));
    }

    /** At most {@code limit} units around a unit or an entity, or the newest ones, with their links and entities. */
    GraphJson graph(Bank bank, @Nullable UUID unit, @Nullable UUID entity, int limit) {
        return database.in(bank.tenant(), transaction -> {
            Object units = Sql.texts(around(transaction, bank, unit, entity, limit));
            var nodes = new ArrayList<NodeJson>(unitNodes(transaction, bank, units));
            var edges = new ArrayList<EdgeJson>(linkEdges(transaction, bank, units));
            var entityNodes = new LinkedHashMap<UUID, NodeJson>();
            edges.addAll(entityEdges(transaction, bank, units, entityNodes));
            nodes.addAll(entityNodes.values());
            return new GraphJson(nodes, edges);
        });
    }

    private static List<NodeJson> unitNodes(Transaction transaction, Bank bank, Object units) {
        String sql = "SELECT u.unit_id, u.fact_type, u.content, u.event_date FROM memory.agent_memory_unit_t u";
        return Columns.list(
                transaction,
                of(bank, "u", sql).with("AND u.unit_id = ANY (?::uuid[]) ORDER BY u.event_date DESC, u.unit_id", units),
                row -> new NodeJson(
                        Columns.uuid(row, "unit_id"),
                        "unit",
                        row.getString("fact_type"),
                        row.getString("content"),
                        Columns.time(row, "event_date")));
    }

    private static List<EdgeJson> linkEdges(Transaction transaction, Bank bank, Object units) {
        String sql = "SELECT l.from_unit_id, l.to_unit_id, l.link_type, l.weight FROM memory.agent_memory_link_t l";
        var select = of(bank, "l", sql)
                .with("AND l.from_unit_id = ANY (?::uuid[]) AND l.to_unit_id = ANY (?::uuid[])", units, units)
                .with("ORDER BY l.weight DESC, l.from_unit_id, l.to_unit_id, l.link_type LIMIT ?", MAX_EDGES);
        return Columns.list(
                transaction,
                select,
                row -> new EdgeJson(
                        Columns.uuid(row, "from_unit_id"),
                        Columns.uuid(row, "to_unit_id"),
                        row.getString("link_type"),
                        row.getDouble("weight")));
    }

    /** @param entityNodes receives the entities that the edges lead to */
    private static List<EdgeJson> entityEdges(
            Transaction transaction, Bank bank, Object units, Map<UUID, NodeJson> entityNodes) {
        var select = of(bank, "m", """
                        SELECT m.unit_id, m.entity_id, e.canonical_name FROM memory.agent_memory_unit_entity_t m
                        JOIN memory.agent_memory_entity_t e USING (host_id, bank_id, entity_id)
                        """)
                .with("AND m.unit_id = ANY (?::uuid[]) ORDER BY m.unit_id, m.entity_id LIMIT ?", units, MAX_EDGES);
        return Columns.list(transaction, select, row -> {
            UUID id = Columns.uuid(row, "entity_id");
            entityNodes.put(id, new NodeJson(id, "entity", null, row.getString("canonical_name"), null));
            return new EdgeJson(Columns.uuid(row, "unit_id"), id, "entity", 1);
        });
    }

    private List<UUID> around(
            Transaction transaction, Bank bank, @Nullable UUID unit, @Nullable UUID entity, int limit) {
        if (unit != null) {
            return Stream.concat(
                            Stream.of(unit),
                            links.findLinks(bank.ref().host(), bank.id(), unit, limit).stream()
                                    .map(LinkJson::unit))
                    .distinct()
                    .limit(limit)
                    .toList();
        }
        var select = entity == null
                ? of(bank, "u", "SELECT u.unit_id FROM memory.agent_memory_unit_t u")
                        .with("AND u.active ORDER BY u.event_date DESC, u.unit_id LIMIT ?", limit)
                : of(bank, "m", "SELECT m.unit_id FROM memory.agent_memory_unit_entity_t m")
                        .with(
                                "AND m.entity_id = ? ORDER BY m.aggregate_version DESC, m.unit_id DESC LIMIT ?",
                                entity,
                                limit);
        return Columns.list(transaction, select, row -> Columns.uuid(row, "unit_id"));
    }
}
