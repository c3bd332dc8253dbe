package dev.parley.memory.view;

import dev.parley.domain.memory.MemoryEvent.MentalModelSet;
import dev.parley.domain.memory.MemoryEvent.Reflected;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.MentalModel;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;

/** Writes reflections, mental models, and versions of units, with SQL as {@link BankTables} explains. */
final class ModelRows extends BankTables {
    /** Number of versions of an opinion or mental model that are kept. */
    private static final int MAX_VERSIONS = 50;

    private static final String MODELS = upsert(
            "mental_model",
            "mental_model_id",
            "name, question, tags, rest_ms, aggregate_version, update_ts, update_user");

    private static final String VERSIONS =
            upsert("unit_version", "unit_id, version", "content, metadata, aggregate_version, update_ts");

    private static final String OLD_VERSIONS = """
            DELETE FROM memory.agent_memory_unit_version_t v
            USING $rows AS t (host_id, bank_id, project_id, unit_id, version, content, metadata, seq, at)
            WHERE v.host_id = t.host_id AND v.bank_id = t.bank_id AND v.unit_id = t.unit_id AND v.version <= t.version - %d
            """.formatted(MAX_VERSIONS);

    private static final String STALE_REFLECTIONS = """
            UPDATE memory.agent_memory_reflection_t r SET active = false, aggregate_version = t.version,
              update_ts = t.at, update_user = t.by
            FROM (SELECT DISTINCT ON (r.host_id, r.bank_id, r.reflection_id) r.host_id, r.bank_id, r.reflection_id,
                    s.version, s.at, s.by
                  FROM $rows AS s (host_id, bank_id, source, version, at, by)
                  JOIN memory.agent_memory_reflection_t r ON r.host_id = s.host_id AND r.bank_id = s.bank_id
                    AND r.active AND r.source_ids @> ARRAY[s.source]
                  ORDER BY r.host_id, r.bank_id, r.reflection_id, s.version DESC) t
            WHERE r.host_id = t.host_id AND r.bank_id = t.bank_id AND r.reflection_id = t.reflection_id
            """;

    private static final String REFLECTIONS = upsert(
                    "reflection",
                    "reflection_id",
                    "question, content, source_ids, embedding, metadata, active, aggregate_version, update_ts,"
                            + " update_user",
                    VECTORS)
            + ", other_embedding = NULL";

    ModelRows(Connection connection) {
        super(connection);
    }

    void models(Changes changes) throws SQLException {
        var set = new RowBatch("uuid uuid uuid uuid text text jsonb int8 int8 timestamptz text");
        var removed = new RowBatch("uuid uuid uuid");
        changes.models().forEach((key, event) -> {
            if (event instanceof MentalModelSet e) {
                add(key, e, set);
            } else {
                removed.add(host(event), key.bank(), key.id());
            }
        });
        set.run(connection, MODELS);
        delete(removed, "mental_model", "mental_model_id");
    }

    private static void add(Changes.Key key, MentalModelSet event, RowBatch rows) {
        MentalModel model = event.model();
        MemoryMeta meta = event.meta();
        rows.add(
                host(event),
                key.bank(),
                project(meta.bank()),
                key.id(),
                model.name(),
                model.question(),
                MetadataColumns.list(model.tags()),
                model.rest().toMillis(),
                meta.seq(),
                meta.at(),
                by(meta));
    }

    void versions(Changes changes) throws SQLException {
        var rows = new RowBatch("uuid uuid uuid uuid int4 text jsonb int8 timestamptz");
        changes.versions()
                .forEach((version, event) -> rows.add(
                        host(event),
                        version.unit().bank(),
                        project(event.meta().bank()),
                        version.unit().id(),
                        version.version(),
                        event.unit().text(),
                        MetadataColumns.of(event),
                        event.meta().seq(),
                        event.meta().at()));
        rows.run(connection, VERSIONS);
        rows.run(connection, OLD_VERSIONS);
    }

    void staleReflections(Changes changes) throws SQLException {
        var rows = new RowBatch("uuid uuid uuid int8 timestamptz text");
        changes.changedSources()
                .forEach((key, event) -> rows.add(
                        host(event),
                        key.bank(),
                        key.id(),
                        event.meta().seq(),
                        event.meta().at(),
                        by(event.meta())));
        rows.run(connection, STALE_REFLECTIONS);
    }

    void reflections(Changes changes) throws SQLException {
        var rows = new RowBatch("uuid uuid uuid uuid text text text int4 jsonb bool int8 timestamptz text");
        changes.reflections().forEach((key, answer) -> {
            Reflected event = answer.event();
            MemoryMeta meta = event.meta();
            rows.add(
                    host(event),
                    key.bank(),
                    project(meta.bank()),
                    key.id(),
                    event.question(),
                    event.answer(),
                    literal(event.sources()),
                    vector(event.vector(), rows),
                    MetadataColumns.of(event),
                    answer.isCurrent(),
                    meta.seq(),
                    meta.at(),
                    by(meta));
        });
        rows.run(connection, REFLECTIONS);
    }
}
