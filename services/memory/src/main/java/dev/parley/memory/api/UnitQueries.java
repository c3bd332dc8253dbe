package dev.parley.memory.api;

import dev.parley.memory.api.MaintenanceController.DifferenceJson;
import dev.parley.memory.api.UnitJson.RelationsJson;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.Cursor;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Queries of units with their relations, and of the differences of a branch. */
@Singleton
@Requires(property = "parley.role.memory", value = "true")
final class UnitQueries extends Queries {
    private static final int MAX_RELATED = 200;

    private final LinkRows links;

    UnitQueries(Database database, LinkRows links) {
        super(database);
        this.links = links;
    }

    /** A page of units, the newest first. */
    List<UnitJson> units(Bank bank, UnitFilter filter, @Nullable Cursor after, int limit) {
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
        return all(bank, select.with("ORDER BY u.event_date DESC, u.unit_id LIMIT ?", limit), UnitJson::of);
    }

    /** A unit with its relations. */
    Optional<UnitJson> unit(Bank bank, UUID id) {
        return database.in(bank.tenant(), transaction -> {
            var select = of(bank, "u", "SELECT " + UnitJson.COLUMNS + " FROM memory.agent_memory_unit_t u")
                    .with("AND u.unit_id = ?", id);
            return Columns.first(transaction, select, UnitJson::of)
                    .map(unit -> unit.withRelations(relations(bank.ref().host(), bank.id(), id)));
        });
    }

    private RelationsJson relations(UUID host, UUID bank, UUID id) {
        return new RelationsJson(
                links.findEntities(host, bank, id, MAX_RELATED),
                links.findLinks(host, bank, id, MAX_RELATED),
                links.findMadeOf(host, bank, id, MAX_RELATED),
                links.findReplacedBy(host, bank, id, MAX_RELATED));
    }

    /** Units in which a branch differs from its bank, by id. */
    List<DifferenceJson> differences(Bank branch, @Nullable UUID after, int limit) {
        var select = new Select("""
                SELECT unit_id, difference, bank_content, branch_content FROM memory.agent_memory_branch_diff_v
                WHERE host_id = ? AND branch_id = ? AND unit_id > ? ORDER BY unit_id LIMIT ?
                """, branch.ref().host(), branch.id(), after == null ? new UUID(0, 0) : after, limit);
        return all(branch, select, DifferenceJson::of);
    }
}
