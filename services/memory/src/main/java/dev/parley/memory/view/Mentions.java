package dev.parley.memory.view;

import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Maintains the counts of entities and entity pairs when the mentions of units change. Counts are updated by their
 * difference, as the most frequent entity may be mentioned by half of a bank. Names and last co-occurrences are looked
 * up again where the unit that determined them is gone. The result equals the full count of {@link DeferredIndexes}
 * over {@code agent_memory_unit_entity_t}. Hand-written SQL: batches that join the tables with their changes.
 */
final class Mentions {
    /** Columns, with the difference 1 or -1. */
    private static final String MENTIONED = """
            SELECT m.host_id, m.bank_id, m.entity_id, %d, m.name FROM $rows AS t (host_id, bank_id, unit_id)
            JOIN memory.agent_memory_unit_entity_t m USING (host_id, bank_id, unit_id)
            """;

    private static final String TOGETHER = """
            SELECT a.host_id, a.bank_id, a.project_id, a.entity_id, b.entity_id, %d, u.event_date::text,
              a.aggregate_version, a.update_ts::text
            FROM $rows AS t (host_id, bank_id, unit_id)
            JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id)
            JOIN memory.agent_memory_unit_entity_t a USING (host_id, bank_id, unit_id)
            JOIN memory.agent_memory_unit_entity_t b
              ON b.host_id = a.host_id AND b.bank_id = a.bank_id AND b.unit_id = a.unit_id AND a.entity_id < b.entity_id
            """;
    private static final String NAMES = """
            SELECT DISTINCT host_id, bank_id, entity_id, name_key, active
            FROM $rows AS t (host_id, bank_id, entity_id, more, name)
            JOIN memory.agent_memory_entity_t USING (host_id, bank_id, entity_id)
            """;
    /** An entity has its longest name, and the version of the last event that mentions it. */
    private static final String COUNT = """
            UPDATE memory.agent_memory_entity_t e
            SET mention_count = e.mention_count + t.more, canonical_name = n.name, active = e.active AND e.canonical_name = n.name,
                aggregate_version = l.aggregate_version, update_ts = l.update_ts
            FROM (SELECT host_id, bank_id, entity_id, sum(more)::int AS more,
                    (array_agg(name ORDER BY char_length(name) DESC, name COLLATE "C") FILTER (WHERE more > 0))[1] AS name
                  FROM $rows AS r (host_id, bank_id, entity_id, more, name) GROUP BY host_id, bank_id, entity_id) t
            JOIN memory.agent_memory_entity_t o USING (host_id, bank_id, entity_id)
            CROSS JOIN LATERAL (
              SELECT CASE WHEN char_length(t.name) > char_length(o.canonical_name)
                  OR char_length(t.name) = char_length(o.canonical_name) AND t.name COLLATE "C" < o.canonical_name COLLATE "C"
                THEN t.name ELSE o.canonical_name END AS name) n
            CROSS JOIN LATERAL (
              SELECT m.aggregate_version, m.update_ts FROM memory.agent_memory_unit_entity_t m
              WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.entity_id = t.entity_id
              ORDER BY m.aggregate_version DESC, m.unit_id DESC LIMIT 1) l
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND e.entity_id = t.entity_id
            """;
    /** Entities whose name is no longer used. */
    private static final String RENAMED = """
            UPDATE memory.agent_memory_entity_t e SET active = false, canonical_name = (
              SELECT m.name FROM memory.agent_memory_unit_entity_t m
              WHERE m.host_id = e.host_id AND m.bank_id = e.bank_id AND m.entity_id = e.entity_id
              ORDER BY char_length(m.name) DESC, m.name COLLATE "C" LIMIT 1)
            FROM (SELECT host_id, bank_id, entity_id, name FROM $rows AS r (host_id, bank_id, entity_id, more, name)
                  GROUP BY host_id, bank_id, entity_id, name HAVING bool_and(more < 0)) t
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND e.entity_id = t.entity_id AND e.canonical_name = t.name
              AND NOT EXISTS (SELECT FROM memory.agent_memory_unit_entity_t m
                WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.entity_id = t.entity_id AND m.name = t.name)
            """;

    private static final String DELETE_ENTITIES = """
            DELETE FROM memory.agent_memory_entity_t e
            USING (SELECT DISTINCT host_id, bank_id, entity_id
                   FROM $rows AS r (host_id, bank_id, entity_id, more, name) WHERE more < 0) t
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND e.entity_id = t.entity_id
              AND NOT EXISTS (SELECT FROM memory.agent_memory_unit_entity_t m
                WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.entity_id = t.entity_id)
            """;
    /** Of entities with the same name only the first is active; the others are deactivated before it is activated. */
    private static final String SET_ACTIVE = """
            UPDATE memory.agent_memory_entity_t e SET active = NOT e.active FROM $rows AS t (host_id, bank_id, name)
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND e.name_key = t.name AND %1$s e.active
              AND %1$s EXISTS (SELECT FROM memory.agent_memory_entity_t f WHERE f.host_id = t.host_id AND f.bank_id = t.bank_id
                AND f.name_key = t.name AND f.entity_id < e.entity_id)
            """;
    /** Pairs whose newest unit is gone, without a newer one. */
    private static final String LAST_GONE = """
            SELECT r.host_id, r.bank_id, r.project_id, r.entity_id_1, r.entity_id_2
            FROM $rows AS r (host_id, bank_id, project_id, entity_id_1, entity_id_2, more, date, version, at)
            JOIN memory.agent_memory_entity_cooccur_t c USING (host_id, bank_id, entity_id_1, entity_id_2)
            GROUP BY r.host_id, r.bank_id, r.project_id, r.entity_id_1, r.entity_id_2, c.aggregate_version
            HAVING max(r.more) < 0 AND max(r.version) >= c.aggregate_version
            """;

    private static final String PAIRS = """
            INSERT INTO memory.agent_memory_entity_cooccur_t AS old
              (host_id, bank_id, project_id, entity_id_1, entity_id_2, cooccur_count, last_cooccurred, aggregate_version, update_ts)
            SELECT host_id, bank_id, project_id, entity_id_1, entity_id_2, sum(more)::int,
              coalesce((array_agg(date ORDER BY version DESC) FILTER (WHERE more > 0))[1], '-infinity'),
              coalesce(max(version) FILTER (WHERE more > 0), 0),
              coalesce((array_agg(at ORDER BY version DESC) FILTER (WHERE more > 0))[1], '-infinity')
            FROM $rows AS r (host_id, bank_id, project_id, entity_id_1, entity_id_2, more, date, version, at)
            GROUP BY host_id, bank_id, project_id, entity_id_1, entity_id_2
            ON CONFLICT (host_id, bank_id, entity_id_1, entity_id_2) DO UPDATE SET
              cooccur_count = old.cooccur_count + excluded.cooccur_count,
              last_cooccurred = CASE WHEN excluded.aggregate_version > old.aggregate_version
                THEN excluded.last_cooccurred ELSE old.last_cooccurred END,
              aggregate_version = greatest(old.aggregate_version, excluded.aggregate_version),
              update_ts = CASE WHEN excluded.aggregate_version > old.aggregate_version
                THEN excluded.update_ts ELSE old.update_ts END
            """;
    /** Searched among the mentions of the rarer entity, the newest first. */
    private static final String LAST_OF_PAIRS = """
            UPDATE memory.agent_memory_entity_cooccur_t p
            SET last_cooccurred = c.last, aggregate_version = c.aggregate_version, update_ts = c.update_ts
            FROM (
              SELECT r.host_id, r.bank_id, r.entity_id_1, r.entity_id_2,
                CASE WHEN x.mention_count < y.mention_count THEN r.entity_id_1 ELSE r.entity_id_2 END AS rarer,
                CASE WHEN x.mention_count < y.mention_count THEN r.entity_id_2 ELSE r.entity_id_1 END AS other
              FROM $rows AS r (host_id, bank_id, project_id, entity_id_1, entity_id_2)
              JOIN memory.agent_memory_entity_t x
                ON x.host_id = r.host_id AND x.bank_id = r.bank_id AND x.entity_id = r.entity_id_1
              JOIN memory.agent_memory_entity_t y
                ON y.host_id = r.host_id AND y.bank_id = r.bank_id AND y.entity_id = r.entity_id_2
              OFFSET 0) t
            CROSS JOIN LATERAL (
              SELECT u.event_date AS last, a.aggregate_version, a.update_ts
              FROM memory.agent_memory_unit_entity_t a
              CROSS JOIN LATERAL (
                SELECT u.event_date FROM memory.agent_memory_unit_entity_t b
                JOIN memory.agent_memory_unit_t u USING (host_id, bank_id, unit_id)
                WHERE b.host_id = a.host_id AND b.bank_id = a.bank_id AND b.unit_id = a.unit_id AND b.entity_id = t.other
                OFFSET 0) u -- each looked up, where a join would read all that the other is mentioned in
              WHERE a.host_id = t.host_id AND a.bank_id = t.bank_id AND a.entity_id = t.rarer
              ORDER BY a.aggregate_version DESC, a.unit_id DESC LIMIT 1) c
            WHERE p.host_id = t.host_id AND p.bank_id = t.bank_id
              AND p.entity_id_1 = t.entity_id_1 AND p.entity_id_2 = t.entity_id_2
            """;

    private static final String DELETE_PAIRS = """
            DELETE FROM memory.agent_memory_entity_cooccur_t c
            USING $rows AS t (host_id, bank_id, project_id, entity_id_1, entity_id_2)
            WHERE c.host_id = t.host_id AND c.bank_id = t.bank_id
              AND c.entity_id_1 = t.entity_id_1 AND c.entity_id_2 = t.entity_id_2 AND c.cooccur_count <= 0
            """;

    private final Connection connection;
    private final boolean counting;
    private final RowBatch entities = new RowBatch("uuid uuid uuid int4 text");
    private final RowBatch pairs = new RowBatch("uuid uuid uuid uuid uuid int4 timestamptz int8 timestamptz");
    private final Map<Entity, Named> namedBefore = new HashMap<>();

    private record Entity(String host, String bank, String id) {}

    /** Its name in lower case, and whether it is the first with that name. */
    private record Named(String name, boolean active) {}

    /** @param counting false where {@linkplain DeferredIndexes everything is counted later} */
    Mentions(Connection connection, boolean counting) {
        this.connection = connection;
        this.counting = counting;
    }

    /** Subtracts the mentions of units, before these are changed or deleted. */
    void subtract(RowBatch units) throws SQLException {
        count(units, -1);
    }

    /** Adds the mentions of units, after these were changed. */
    void add(RowBatch units) throws SQLException {
        count(units, 1);
    }

    private void count(RowBatch units, int sign) throws SQLException {
        if (counting) {
            units.query(connection, MENTIONED.formatted(sign), entities);
            units.query(connection, TOGETHER.formatted(sign), pairs);
            readNames().forEach(namedBefore::putIfAbsent);
        }
    }

    private Map<Entity, Named> readNames() throws SQLException {
        var names = new HashMap<Entity, Named>();
        entities.query(
                connection,
                NAMES,
                row -> names.put(
                        new Entity(row.getString(1), row.getString(2), row.getString(3)),
                        new Named(row.getString(4), row.getBoolean(5))));
        return names;
    }

    /** Names whose first entity may have changed: names of entities that are new, renamed or gone. */
    private RowBatch contestedNames() throws SQLException {
        Map<Entity, Named> now = readNames();
        var names = new RowBatch("uuid uuid text");
        namedBefore.forEach((entity, before) -> {
            Named name = now.get(entity);
            if (name == null || !name.name().equals(before.name())) {
                names.add(entity.host(), entity.bank(), before.name());
            }
        });
        now.forEach((entity, name) -> {
            if (!name.active()) {
                names.add(entity.host(), entity.bank(), name.name());
            }
        });
        return names;
    }

    /** Updates all affected counts. */
    void update() throws SQLException {
        var lastGone = new RowBatch("uuid uuid uuid uuid uuid");
        pairs.query(connection, LAST_GONE, lastGone);
        pairs.run(connection, PAIRS);
        lastGone.run(connection, DELETE_PAIRS);
        lastGone.run(connection, LAST_OF_PAIRS);
        entities.run(connection, DELETE_ENTITIES);
        entities.run(connection, RENAMED);
        entities.run(connection, COUNT);
        RowBatch names = contestedNames();
        names.run(connection, SET_ACTIVE.formatted(""));
        names.run(connection, SET_ACTIVE.formatted("NOT"));
    }
}
