package dev.parley.memory.api;

import dev.parley.memory.api.MaintenanceController.DifferenceJson;
import dev.parley.memory.api.UnitJson.LinkJson;
import dev.parley.memory.api.UnitJson.NamedJson;
import dev.parley.memory.api.UnitJson.RelationsJson;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.Cursor;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Units of banks with what they are related to, and how a branch differs. */
@Singleton
@Requires(property = "parley.role.memory", value = "true")
final class UnitQueries extends Queries {
    private static final int MOST_RELATED = 200;

    UnitQueries(Database database) {
        super(database);
    }

    /** A page of units, the newest first. */
    List<UnitJson> units(Bank bank, UnitFilter filter, @Nullable Cursor after, int most) {
        var select = of(bank, "u", "SELECT " + UnitJson.COLUMNS + " FROM memory.agent_memory_unit_t u")
                .with(filter.retired() ? "AND NOT u.active" : "AND u.active")
                .withIf(filter.type(), "AND u.fact_type = ?")
                .withIf(filter.document(), "AND u.doc_id = ?")
                .withIf(filter.tag(), "AND u.metadata->'tags' @> to_jsonb(?::text)")
                .withIf(filter.from(), "AND u.event_date >= ?")
                .withIf(filter.to(), "AND u.event_date < ?")
                .withIf(filter.text(), "AND strpos(lower(u.content), lower(?)) > 0");
        if (filter.entity() != null) {
            select.with(
                    "AND u.unit_id IN (SELECT m.unit_id FROM memory.agent_memory_unit_entity_t m"
                            + " WHERE m.host_id = ? AND m.bank_id = ? AND m.entity_id = ?)",
                    bank.ref().host(),
                    bank.id(),
                    filter.entity());
        }
        if (after != null) {
            select.with(
                    "AND u.event_date <= ? AND (u.event_date < ? OR u.unit_id > ?)",
                    after.time(),
                    after.time(),
                    after.id());
        }
        return all(bank, select.with("ORDER BY u.event_date DESC, u.unit_id LIMIT ?", most), UnitJson::of);
    }

    /** A unit, with what it has to do with others. */
    Optional<UnitJson> unit(Bank bank, UUID id) {
        return database.in(bank.tenant(), transaction -> {
            var select = of(bank, "u", "SELECT " + UnitJson.COLUMNS + " FROM memory.agent_memory_unit_t u")
                    .with("AND u.unit_id = ?", id);
            return Columns.first(transaction, select, UnitJson::of)
                    .map(unit -> unit.with(relations(transaction, bank, id)));
        });
    }

    private static RelationsJson relations(Transaction transaction, Bank bank, UUID id) {
        var entities = of(bank, "m", """
                        SELECT m.entity_id, e.canonical_name FROM memory.agent_memory_unit_entity_t m
                        JOIN memory.agent_memory_entity_t e USING (host_id, bank_id, entity_id)
                        """)
                .with("AND m.unit_id = ? ORDER BY e.canonical_name, m.entity_id LIMIT ?", id, MOST_RELATED);
        var partOf = of(bank, "s", "SELECT s.unit_id FROM memory.agent_memory_unit_source_t s")
                .with("AND s.source_id = ? ORDER BY s.unit_id LIMIT ?", id, MOST_RELATED);
        var replaces = of(bank, "u", "SELECT u.unit_id FROM memory.agent_memory_unit_t u")
                .with("AND NOT u.active AND u.metadata#>>'{retired,replacedBy}' = ?", id.toString())
                .with("ORDER BY u.event_date DESC, u.unit_id LIMIT ?", MOST_RELATED);
        return new RelationsJson(
                Columns.all(
                        transaction,
                        entities,
                        row -> new NamedJson(Columns.id(row, "entity_id"), row.getString("canonical_name"))),
                Columns.all(
                        transaction,
                        linked(bank, id, MOST_RELATED),
                        row -> new LinkJson(
                                Columns.id(row, "other"),
                                row.getString("link_type"),
                                row.getBoolean("outgoing"),
                                row.getDouble("weight"))),
                Columns.all(transaction, partOf, row -> Columns.id(row, "unit_id")),
                Columns.all(transaction, replaces, row -> Columns.id(row, "unit_id")));
    }

    /** What a unit is linked with, the strongest first. */
    static Select linked(Bank bank, UUID id, int most) {
        UUID host = bank.ref().host();
        return new Select("""
                SELECT other, link_type, outgoing, weight FROM (
                  SELECT to_unit_id AS other, link_type, true AS outgoing, weight FROM memory.agent_memory_link_t
                  WHERE host_id = ? AND bank_id = ? AND from_unit_id = ?
                  UNION ALL
                  SELECT from_unit_id, link_type, false, weight FROM memory.agent_memory_link_t
                  WHERE host_id = ? AND bank_id = ? AND to_unit_id = ?) l
                ORDER BY weight DESC, other, link_type, outgoing LIMIT ?
                """, host, bank.id(), id, host, bank.id(), id, most);
    }

    /** In what a branch differs from its bank, by the ids of units. */
    List<DifferenceJson> differences(Bank branch, @Nullable UUID after, int most) {
        var select = new Select("""
                SELECT unit_id, difference, bank_content, branch_content FROM memory.agent_memory_branch_diff_v
                WHERE host_id = ? AND branch_id = ? AND unit_id > ? ORDER BY unit_id LIMIT ?
                """, branch.ref().host(), branch.id(), after == null ? new UUID(0, 0) : after, most);
        return all(branch, select, DifferenceJson::of);
    }
}
