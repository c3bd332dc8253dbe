package dev.parley.memory.view;

import dev.parley.domain.memory.BankProfile;
import dev.parley.domain.memory.MemoryEvent.Forgotten;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Deletes the rows of erased memories and of memories derived from them, and inserts a receipt, with SQL as {@link
 * BankTables} explains.
 */
final class ForgottenRows extends BankTables {
    /** Later operations stay: the tables may be rebuilt by a replay. */
    private static final String OPERATIONS = """
            DELETE FROM memory.agent_memory_operation_t o USING $rows AS t (host_id, bank_id, at)
            WHERE o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.update_ts <= t.at
            """;

    private static final String RESET_PROFILE = """
            UPDATE memory.agent_memory_bank_t b
            SET bank_name = t.name, disposition = t.disposition, background = NULL, model = NULL, other_units = 0
            FROM $rows AS t (host_id, bank_id, name, disposition)
            WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
            """;

    private static final String NAMED_UNITS = """
            WITH t AS MATERIALIZED (SELECT * FROM $rows AS r (host_id, bank_id, id, document, at))
            SELECT u.host_id, u.bank_id, u.unit_id FROM t JOIN memory.agent_memory_unit_t u
              ON u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.id AND NOT t.document
            UNION
            SELECT u.host_id, u.bank_id, u.unit_id FROM t JOIN memory.agent_memory_unit_t u
              ON u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.doc_id = t.id AND t.document
            """;

    private final boolean counting;

    ForgottenRows(Connection connection, boolean counting) {
        super(connection);
        this.counting = counting;
    }

    void forget(UUID bank, Forgotten event) throws SQLException {
        if (event.whole()) {
            forgetAll(event.meta().bank().host(), bank, event);
        } else {
            forgetSome(event.meta().bank().host(), bank, event);
        }
    }

    private void forgetAll(UUID host, UUID bank, Forgotten event) throws SQLException {
        for (String table : List.of("link", "entity_cooccur", "unit_source", "unit_entity", "unit_version")) {
            delete(table, host, bank);
        }
        int units = delete("unit", host, bank);
        int documents = delete("doc", host, bank);
        for (String table : List.of("entity", "directive", "reflection", "mental_model")) {
            delete(table, host, bank);
        }
        new RowBatch("uuid uuid timestamptz").add(host, bank, event.meta().at()).run(connection, OPERATIONS);
        var profile = BankProfile.of(event.meta().bank());
        new RowBatch("uuid uuid text jsonb")
                .add(host, bank, profile.name(), MetadataColumns.disposition(profile))
                .run(connection, RESET_PROFILE);
        receipt(event, documents, units);
    }

    private void forgetSome(UUID host, UUID bank, Forgotten event) throws SQLException {
        var targets = new RowBatch("uuid uuid uuid bool timestamptz");
        event.units()
                .forEach(id -> targets.add(host, bank, id, false, event.meta().at()));
        event.documents()
                .forEach(id -> targets.add(host, bank, id, true, event.meta().at()));
        var units = new RowBatch("uuid uuid uuid");
        targets.query(connection, NAMED_UNITS, units);
        var mentions = new Mentions(connection, counting);
        mentions.subtract(units);
        leaveSources(units);
        var unitIds = new RowBatch("uuid uuid uuid"); // a replay may have their links without them
        event.units().forEach(id -> unitIds.add(host, bank, id));
        deleteLinks(units, unitIds);
        deleteUnits(units);
        delete(unitIds, "reflection", "reflection_id");
        deleteDocuments(targets);
        mentions.update();
        receipt(event, event.documents().size(), event.units().size());
    }

    /** Derived units lose their references. */
    private void leaveSources(RowBatch units) throws SQLException {
        units.run(connection, """
                UPDATE memory.agent_memory_unit_t u SET source_memory_ids = ARRAY(
                  SELECT s.id FROM unnest(u.source_memory_ids) WITH ORDINALITY AS s (id, place)
                  WHERE s.id <> ALL (t.gone) ORDER BY s.place)
                FROM (SELECT s.host_id, s.bank_id, s.unit_id, array_agg(s.source_id) AS gone
                      FROM $rows AS r (host_id, bank_id, source_id)
                      JOIN memory.agent_memory_unit_source_t s USING (host_id, bank_id, source_id)
                      GROUP BY s.host_id, s.bank_id, s.unit_id) t
                WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
                """);
        delete(units, "unit_source", "source_id");
        for (String below : List.of("unit_source", "unit_entity", "unit_version")) {
            delete(units, below, "unit_id");
        }
    }

    private void deleteLinks(RowBatch units, RowBatch unitIds) throws SQLException {
        for (String end : List.of("from_unit_id", "to_unit_id")) {
            delete(units, "link", end);
            delete(unitIds, "link", end);
        }
    }

    private void deleteUnits(RowBatch units) throws SQLException {
        units.run(connection, """
                UPDATE memory.agent_memory_bank_t b SET other_units = other_units - t.vectors
                FROM (SELECT u.host_id, u.bank_id, sum(u.other_vectors) AS vectors
                      FROM $rows AS r (host_id, bank_id, unit_id) JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id)
                      GROUP BY u.host_id, u.bank_id) t
                WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id AND t.vectors > 0
                """);
        delete(units, "unit", "unit_id");
    }

    private void deleteDocuments(RowBatch targets) throws SQLException {
        targets.run(connection, """
                DELETE FROM memory.agent_memory_doc_t d USING $rows AS t (host_id, bank_id, id, document, at)
                WHERE d.host_id = t.host_id AND d.bank_id = t.bank_id AND d.doc_id = t.id AND t.document
                """);
        targets.run(connection, """
                DELETE FROM memory.agent_memory_operation_t o USING $rows AS t (host_id, bank_id, id, document, at)
                WHERE o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.doc_id = t.id AND t.document
                  AND o.update_ts <= t.at
                """);
    }

    /** In batches, each within the statement timeout however large the bank is. */
    private int delete(String table, UUID host, UUID bank) throws SQLException {
        var rows = new RowBatch("uuid uuid").add(host, bank);
        String sql = """
                DELETE FROM memory.agent_memory_%1$s_t x WHERE x.ctid = ANY (ARRAY(
                  SELECT y.ctid FROM memory.agent_memory_%1$s_t y, $rows AS t (host_id, bank_id)
                  WHERE y.host_id = t.host_id AND y.bank_id = t.bank_id LIMIT 20000))
                """.formatted(table);
        int total = 0;
        int deleted = rows.run(connection, sql);
        while (deleted > 0) {
            total += deleted;
            deleted = rows.run(connection, sql);
        }
        return total;
    }

    private void receipt(Forgotten event, int documents, int units) throws SQLException {
        MemoryMeta meta = event.meta();
        new RowBatch("uuid uuid uuid uuid bool int4 int4 int8 timestamptz text")
                .add(
                        meta.bank().host(),
                        meta.bank().id(),
                        project(meta.bank()),
                        event.erasure(),
                        event.whole(),
                        documents,
                        units,
                        meta.seq(),
                        meta.at(),
                        by(meta))
                .run(connection, """
                        INSERT INTO memory.agent_memory_erasure_t (host_id, bank_id, project_id, erasure_id, whole, documents, units,
                          aggregate_version, update_ts, update_user)
                        SELECT * FROM $rows ON CONFLICT DO NOTHING
                        """);
    }
}
