package dev.parley.memory.view;

import dev.parley.domain.memory.Link;
import dev.parley.domain.memory.MemoryEvent.GenerationChanged;
import dev.parley.domain.memory.MemoryEvent.UnitLearned;
import dev.parley.domain.memory.MemoryMeta;
import dev.parley.domain.memory.Mention;
import dev.parley.domain.memory.Unit;
import dev.parley.language.time.TimeSpan;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes units, their sources, entities and links, with SQL as {@link BankTables} explains. */
final class UnitRows extends BankTables {
    private static final String NEW_ENTITIES = """
            INSERT INTO memory.agent_memory_entity_t (host_id, bank_id, project_id, entity_id, canonical_name, mention_count,
              active, aggregate_version, update_ts)
            SELECT DISTINCT ON (host_id, bank_id, entity_id) host_id, bank_id, project_id, entity_id, name, 0, false,
              aggregate_version, update_ts
            FROM $rows AS t (host_id, bank_id, project_id, unit_id, entity_id, name, aggregate_version, update_ts)
            ON CONFLICT DO NOTHING
            """;

    private static final String MENTIONS = """
            INSERT INTO memory.agent_memory_unit_entity_t
              (host_id, bank_id, project_id, unit_id, entity_id, name, aggregate_version, update_ts)
            SELECT * FROM $rows ON CONFLICT DO NOTHING
            """;

    private static final String BOTH_ENDS = """
            JOIN memory.agent_memory_unit_t f ON f.host_id = t.host_id AND f.bank_id = t.bank_id AND f.unit_id = t.from_unit_id
            JOIN memory.agent_memory_unit_t o ON o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.unit_id = t.to_unit_id
            """;

    private static final String UNITS = upsert(
                    "unit",
                    "unit_id",
                    "doc_id, content, embedding, context, event_date, occurred_start, occurred_end, mentioned_at,"
                            + " fact_type, metadata, proof_count, aggregate_version, update_ts, update_user",
                    VECTORS)
            + ", other_embedding = NULL, active = true";

    private static final String SOURCE_IDS = """
            UPDATE memory.agent_memory_unit_t u SET source_memory_ids = ARRAY(
              SELECT s.id FROM unnest(t.sources::uuid[]) WITH ORDINALITY AS s (id, place)
              JOIN memory.agent_memory_unit_t o ON o.host_id = t.host_id AND o.bank_id = t.bank_id AND o.unit_id = s.id
              ORDER BY s.place)
            FROM $rows AS t (host_id, bank_id, unit_id, sources)
            WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
              AND NOT (t.sources = '{}' AND u.source_memory_ids = '{}')
            """;

    private static final String SOURCES = """
            INSERT INTO memory.agent_memory_unit_source_t (host_id, bank_id, source_id, unit_id, project_id)
            SELECT u.host_id, u.bank_id, s.id, u.unit_id, u.project_id FROM $rows AS t (host_id, bank_id, unit_id, sources)
            JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id) CROSS JOIN LATERAL unnest(u.source_memory_ids) AS s (id)
            ON CONFLICT DO NOTHING
            """;

    private static final String OTHER_VECTORS = """
            UPDATE memory.agent_memory_%1$s_t x SET other_embedding = vectors[vector * 384 + 1 : vector * 384 + 384]
            FROM $rows AS t (host_id, bank_id, id, vector), (SELECT $vectors AS vectors) v
            WHERE x.host_id = t.host_id AND x.bank_id = t.bank_id AND x.%1$s_id = t.id
            """;

    private static final String OTHER_UNITS = """
            WITH counted AS (
              UPDATE memory.agent_memory_unit_t u SET other_vectors = other_vectors + t.vectors
              FROM $rows AS t (host_id, bank_id, unit_id, vectors)
              WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
              RETURNING t.host_id, t.bank_id, t.vectors)
            UPDATE memory.agent_memory_bank_t b SET other_units = other_units + t.vectors
            FROM (SELECT host_id, bank_id, sum(vectors) AS vectors FROM counted GROUP BY host_id, bank_id) t
            WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
            """;

    private static final String GENERATION = """
            UPDATE memory.agent_memory_%s_t x
            SET embedding = CASE WHEN b.other_generation = t.current THEN x.other_embedding ELSE x.embedding END,
              other_embedding = CASE WHEN b.other_generation = t.current THEN x.embedding END
              %s
            FROM $rows AS t (host_id, bank_id, current, other) JOIN memory.agent_memory_bank_t b USING (host_id, bank_id)
            WHERE x.host_id = t.host_id AND x.bank_id = t.bank_id AND b.other_generation IS DISTINCT FROM t.other
              AND b.other_generation IS NOT NULL
            """;

    private static final String UNIT_GENERATION = GENERATION.formatted(
            "unit", ", other_vectors = CASE WHEN b.other_generation = t.current THEN x.other_vectors ELSE 0 END");

    private static final String REFLECTION_GENERATION = GENERATION.formatted("reflection", "");

    private static final String BANK_GENERATION = """
            UPDATE memory.agent_memory_bank_t b SET generation = t.current, other_generation = t.other,
              other_units = CASE WHEN b.other_generation = t.current OR b.other_generation = t.other THEN other_units ELSE 0 END
            FROM $rows AS t (host_id, bank_id, current, other)
            WHERE b.host_id = t.host_id AND b.bank_id = t.bank_id
            """;

    private static final String RETIRED = """
            UPDATE memory.agent_memory_unit_t u SET active = false, metadata = u.metadata || t.metadata,
              aggregate_version = t.version, update_ts = t.at, update_user = t.by
            FROM $rows AS t (host_id, bank_id, unit_id, metadata, version, at, by)
            WHERE u.host_id = t.host_id AND u.bank_id = t.bank_id AND u.unit_id = t.unit_id
            """;

    private final boolean counting;

    UnitRows(Connection connection, boolean counting) {
        super(connection);
        this.counting = counting;
    }

    void units(Changes changes) throws SQLException {
        var ids = new RowBatch("uuid uuid uuid");
        changes.learnedUnits().forEach((key, event) -> ids.add(host(event), key.bank(), key.id()));
        var mentions = new Mentions(connection, counting);
        mentions.subtract(ids);
        learned(changes);
        sources(changes);
        var relearned = new RowBatch("uuid uuid uuid");
        changes.learnedUnits().forEach((key, event) -> {
            if (isAgain(event)) {
                relearned.add(host(event), key.bank(), key.id());
            }
        });
        delete(relearned, "unit_entity", "unit_id");
        mentions(changes);
        mentions.add(ids);
        mentions.update();
    }

    /** Whether rows of an earlier version may exist: versions are consecutive until the unit is erased. */
    private static boolean isAgain(UnitLearned event) {
        return event.unit().version() > 1;
    }

    private void learned(Changes changes) throws SQLException {
        var rows = new RowBatch(
                "uuid uuid uuid uuid uuid text int4 text timestamptz timestamptz timestamptz timestamptz text jsonb"
                        + " int4 int8 timestamptz text");
        changes.learnedUnits().forEach((key, event) -> rows.add(row(key, event, vector(event.unit(), rows))));
        rows.run(connection, UNITS);
    }

    /** The sources that exist: all, unless some were erased since. */
    private void sources(Changes changes) throws SQLException {
        var sources = new RowBatch("uuid uuid uuid text");
        changes.learnedUnits().forEach((key, event) -> {
            if (isAgain(event) || !event.unit().sources().isEmpty()) {
                sources.add(
                        host(event), key.bank(), key.id(), literal(event.unit().sources()));
            }
        });
        sources.run(connection, SOURCE_IDS);
        delete(sources, "unit_source", "unit_id");
        sources.run(connection, SOURCES);
    }

    private void mentions(Changes changes) throws SQLException {
        var mentions = new RowBatch("uuid uuid uuid uuid uuid text int8 timestamptz");
        changes.learnedUnits().forEach((key, event) -> {
            MemoryMeta meta = event.meta();
            for (Mention mention : event.mentions()) {
                mentions.add(
                        host(event),
                        key.bank(),
                        project(meta.bank()),
                        key.id(),
                        mention.entity(),
                        mention.name(),
                        meta.seq(),
                        meta.at());
            }
        });
        if (counting) {
            mentions.run(connection, NEW_ENTITIES);
        }
        mentions.run(connection, MENTIONS);
    }

    private static @Nullable Object[] row(Changes.Key key, UnitLearned event, @Nullable Integer vector) {
        Unit unit = event.unit();
        MemoryMeta meta = event.meta();
        TimeSpan occurred = unit.occurred();
        return new @Nullable Object[] {
            meta.bank().host(),
            key.bank(),
            project(meta.bank()),
            key.id(),
            unit.docId(),
            unit.text(),
            vector,
            unit.context(),
            unit.date(),
            occurred == null ? null : occurred.from(),
            occurred == null ? null : occurred.to(),
            unit.mentionedAt(),
            unit.type().code(),
            MetadataColumns.of(event),
            unit.proofCount(),
            meta.seq(),
            meta.at(),
            by(meta)
        };
    }

    void embedded(Changes changes) throws SQLException {
        var rows = new RowBatch("uuid uuid uuid int4");
        changes.embeddedUnits()
                .forEach((key, event) -> rows.add(host(event), key.bank(), key.id(), vector(event.vector(), rows)));
        rows.run(connection, OTHER_VECTORS.formatted("unit"));
        rows.run(connection, OTHER_VECTORS.formatted("reflection"));
        var counts = new RowBatch("uuid uuid uuid int4");
        changes.vectors().forEach((key, counted) -> counts.add(counted.host(), key.bank(), key.id(), counted.count()));
        counts.run(connection, OTHER_UNITS);
    }

    /** When the two generations swap, so do their vectors; those of a dropped generation are deleted. */
    void change(UUID bank, GenerationChanged event) throws SQLException {
        var row = new RowBatch("uuid uuid text text").add(host(event), bank, event.current(), event.other());
        row.run(connection, UNIT_GENERATION);
        row.run(connection, REFLECTION_GENERATION);
        row.run(connection, BANK_GENERATION);
    }

    void retired(Changes changes) throws SQLException {
        var rows = new RowBatch("uuid uuid uuid jsonb int8 timestamptz text");
        changes.retiredUnits()
                .forEach((key, event) -> rows.add(
                        event.meta().bank().host(),
                        key.bank(),
                        key.id(),
                        MetadataColumns.of(event),
                        event.meta().seq(),
                        event.meta().at(),
                        by(event.meta())));
        rows.run(connection, RETIRED);
    }

    /** Links to erased units are skipped. */
    void links(Changes changes) throws SQLException {
        var rows = new RowBatch("uuid uuid uuid uuid uuid text float8 int8 timestamptz text");
        for (Changes.Linked linked : changes.links()) {
            Link link = linked.link();
            MemoryMeta meta = linked.meta();
            rows.add(
                    meta.bank().host(),
                    linked.bank(),
                    project(meta.bank()),
                    link.from(),
                    link.to(),
                    link.type().code(),
                    link.weight(),
                    meta.seq(),
                    meta.at(),
                    by(meta));
        }
        String key = "from_unit_id, to_unit_id, link_type";
        String columns = "weight, aggregate_version, update_ts, update_user";
        rows.run(connection, upsert("link", key, columns, counting ? BOTH_ENDS : ""));
    }
}
