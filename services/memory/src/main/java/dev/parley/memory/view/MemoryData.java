package dev.parley.memory.view;

import dev.parley.domain.Ids;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.http.Caller;
import dev.parley.platform.personal.PersonalArchive;
import dev.parley.platform.personal.PersonalData;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Personal data export of memory: a file for each bank of the user, in projects that they can read. Hand-written SQL:
 * the columns of each query are written under their names.
 */
@Singleton
@Requires(beans = Database.class)
final class MemoryData implements PersonalData {
    private static final int AT_ONCE = 100;
    private static final int LARGE_AT_ONCE = 4;
    private static final UUID FIRST = new UUID(0, 0);

    private static final String BANKS = """
            SELECT bank_id AS id, project_key, agent, bank_name AS name, disposition::text, background
            FROM memory.agent_memory_bank_t WHERE host_id = ? AND user_id = ? AND active AND bank_id > ?
            ORDER BY bank_id LIMIT %d""".formatted(AT_ONCE);

    /** Queries of the content of a bank, by kind. */
    private static final Map<String, String> KINDS = kinds();

    private final Database database;

    MemoryData(Database database) {
        this.database = database;
    }

    private static Map<String, String> kinds() {
        var kinds = new LinkedHashMap<String, String>();
        kinds.put(
                "directive", "SELECT directive_id AS id, name, content, priority FROM memory.agent_memory_directive_t");
        kinds.put(
                "document",
                "SELECT doc_id AS id, original_text AS text, metadata->>'session' AS session, metadata->>'mentionedAt' AS mentioned_at,"
                        + " metadata->>'context' AS context, metadata->>'tags' AS tags"
                        + " FROM memory.agent_memory_doc_t");
        kinds.put(
                "unit",
                "SELECT unit_id AS id, doc_id AS document, fact_type AS type, content AS text, occurred_start, occurred_end, mentioned_at,"
                        + " proof_count, active AS held FROM memory.agent_memory_unit_t");
        kinds.put(
                "reflection",
                "SELECT reflection_id AS id, question, content AS text FROM memory.agent_memory_reflection_t");
        kinds.put(
                "mentalModel", "SELECT mental_model_id AS id, name, question FROM memory.agent_memory_mental_model_t");
        kinds.replaceAll((kind, sql) ->
                "SELECT * FROM (%s WHERE host_id = ? AND bank_id = ?) x WHERE id > ? ORDER BY id LIMIT %d"
                        .formatted(sql, batchSize(kind)));
        return kinds;
    }

    /** Fewer documents, as they may be large. */
    private static int batchSize(String kind) {
        return kind.equals("document") ? LARGE_AT_ONCE : AT_ONCE;
    }

    @Override
    public String part() {
        return "memory";
    }

    @Override
    public void write(Caller caller, PersonalArchive archive) throws IOException {
        UUID after = FIRST;
        List<Map<String, Object>> banks;
        do {
            banks = read(caller, BANKS, caller.host(), caller.person().user().toString(), after);
            for (Map<String, Object> bank : banks) {
                after = id(bank);
                String project = String.valueOf(bank.get("project_key"));
                if (caller.reads(project)) {
                    write(caller, archive, project, after, bank);
                } else {
                    archive.count("banksOfProjectsLeftOut", 1);
                }
            }
        } while (banks.size() == AT_ONCE);
    }

    private void write(Caller caller, PersonalArchive archive, String project, UUID id, Map<String, Object> bank)
            throws IOException {
        try (OutputStream out = archive.entry("memory/%s/%s.ndjson".formatted(PersonalArchive.fileName(project), id))) {
            archive.line(out, Map.of("bank", bank));
            archive.count("banks", 1);
            for (var kind : KINDS.entrySet()) {
                UUID after = FIRST;
                List<Map<String, Object>> rows;
                do {
                    rows = read(caller, kind.getValue(), caller.host(), id, after);
                    for (Map<String, Object> row : rows) {
                        archive.line(out, Map.of(kind.getKey(), row));
                        after = id(row);
                    }
                } while (rows.size() == batchSize(kind.getKey()));
            }
        }
    }

    private static UUID id(Map<String, Object> row) {
        return Ids.parse(String.valueOf(row.get("id")));
    }

    private List<Map<String, Object>> read(Caller caller, String sql, Object... values) {
        return database.in(
                Tenant.of(caller.host()), transaction -> transaction.query(sql, Columns.list(MemoryData::row), values));
    }

    /** The non-null columns of a row, by name. */
    private static Map<String, Object> row(ResultSet rows) throws SQLException {
        var row = new LinkedHashMap<String, Object>();
        var columns = rows.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            Object value = rows.getObject(i);
            if (value != null) {
                row.put(
                        columns.getColumnLabel(i),
                        switch (value) {
                            case Timestamp time -> time.toInstant().toString();
                            case Number number -> number;
                            case Boolean truth -> truth;
                            default -> value.toString();
                        });
            }
        }
        return row;
    }
}
