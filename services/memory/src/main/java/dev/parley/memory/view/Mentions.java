package dev.parley.memory.view;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts entities and pairs of them anew from {@code agent_memory_unit_entity_t}, where units came to be about others, or went.
 * So counts are right whatever came before, and nothing is left of a name that nobody mentions any more.
 */
final class Mentions {
    private static final String MENTIONED = """
            SELECT DISTINCT m.host_id, m.bank_id, m.entity_id FROM $rows AS t (host_id, bank_id, unit_id)
            JOIN memory.agent_memory_unit_entity_t m USING (host_id, bank_id, unit_id)
            """;
    private static final String TOGETHER = """
            SELECT DISTINCT a.host_id, a.bank_id, a.project_id, a.entity_id, b.entity_id
            FROM $rows AS t (host_id, bank_id, unit_id)
            JOIN memory.agent_memory_unit_entity_t a USING (host_id, bank_id, unit_id)
            JOIN memory.agent_memory_unit_entity_t b
              ON b.host_id = a.host_id AND b.bank_id = a.bank_id AND b.unit_id = a.unit_id AND a.entity_id < b.entity_id
            """;
    private static final String NAMES = """
            SELECT DISTINCT host_id, bank_id, entity_id, lower(canonical_name), active
            FROM $rows AS t (host_id, bank_id, entity_id)
            JOIN memory.agent_memory_entity_t USING (host_id, bank_id, entity_id)
            """;
    private static final String COUNT = """
            UPDATE memory.agent_memory_entity_t e
            SET canonical_name = n.name, mention_count = c.mentions, active = e.active AND e.canonical_name = n.name,
                aggregate_version = n.aggregate_version, update_ts = n.update_ts
            FROM (SELECT DISTINCT host_id, bank_id, entity_id FROM $rows AS r (host_id, bank_id, entity_id)) t
            CROSS JOIN LATERAL (
              SELECT count(*)::int AS mentions FROM memory.agent_memory_unit_entity_t m
              WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.entity_id = t.entity_id) c
            CROSS JOIN LATERAL (
              SELECT (array_agg(m.name ORDER BY char_length(m.name) DESC, m.name COLLATE "C"))[1] AS name,
                max(m.aggregate_version) AS aggregate_version, max(m.update_ts) AS update_ts FROM memory.agent_memory_unit_entity_t m
              WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.entity_id = t.entity_id
              HAVING count(*) > 0) n
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND e.entity_id = t.entity_id
            """;
    private static final String NOBODY = """
            DELETE FROM memory.agent_memory_entity_t e USING $rows AS t (host_id, bank_id, entity_id)
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND e.entity_id = t.entity_id
              AND NOT EXISTS (SELECT FROM memory.agent_memory_unit_entity_t m
                WHERE m.host_id = t.host_id AND m.bank_id = t.bank_id AND m.entity_id = t.entity_id)
            """;
    /** Of those with one name, those that are not the first have to go before the first one comes. */
    private static final String NOT_FIRST = """
            UPDATE memory.agent_memory_entity_t e SET active = false FROM $rows AS t (host_id, bank_id, name)
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND lower(e.canonical_name) = t.name AND e.active
              AND EXISTS (SELECT FROM memory.agent_memory_entity_t f WHERE f.host_id = t.host_id AND f.bank_id = t.bank_id
                AND lower(f.canonical_name) = t.name AND f.entity_id < e.entity_id)
            """;

    private static final String FIRST = """
            UPDATE memory.agent_memory_entity_t e SET active = true FROM $rows AS t (host_id, bank_id, name)
            WHERE e.host_id = t.host_id AND e.bank_id = t.bank_id AND lower(e.canonical_name) = t.name AND NOT e.active
              AND NOT EXISTS (SELECT FROM memory.agent_memory_entity_t f WHERE f.host_id = t.host_id AND f.bank_id = t.bank_id
                AND lower(f.canonical_name) = t.name AND f.entity_id < e.entity_id)
            """;
    private static final String PAIRS_GONE = """
            DELETE FROM memory.agent_memory_entity_cooccur_t c
            USING $rows AS t (host_id, bank_id, project_id, entity_id_1, entity_id_2)
            WHERE c.host_id = t.host_id AND c.bank_id = t.bank_id
              AND c.entity_id_1 = t.entity_id_1 AND c.entity_id_2 = t.entity_id_2
            """;
    /** Counted among the mentions of the one that is mentioned less. */
    private static final String PAIRS = """
            INSERT INTO memory.agent_memory_entity_cooccur_t AS old
              (host_id, bank_id, project_id, entity_id_1, entity_id_2, cooccur_count, last_cooccurred, aggregate_version, update_ts)
            WITH t AS MATERIALIZED (
              SELECT DISTINCT r.host_id, r.bank_id, r.project_id, r.entity_id_1, r.entity_id_2,
                CASE WHEN x.mention_count < y.mention_count THEN r.entity_id_1 ELSE r.entity_id_2 END AS rarer,
                CASE WHEN x.mention_count < y.mention_count THEN r.entity_id_2 ELSE r.entity_id_1 END AS other
              FROM $rows AS r (host_id, bank_id, project_id, entity_id_1, entity_id_2)
              JOIN memory.agent_memory_entity_t x
                ON x.host_id = r.host_id AND x.bank_id = r.bank_id AND x.entity_id = r.entity_id_1
              JOIN memory.agent_memory_entity_t y
                ON y.host_id = r.host_id AND y.bank_id = r.bank_id AND y.entity_id = r.entity_id_2)
            SELECT t.host_id, t.bank_id, t.project_id, t.entity_id_1, t.entity_id_2, c.times, c.last, c.version, c.at
            FROM t CROSS JOIN LATERAL (
              SELECT count(*)::int AS times, max(u.event_date) AS last, max(a.aggregate_version) AS version, max(a.update_ts) AS at
              FROM memory.agent_memory_unit_entity_t a
              JOIN memory.agent_memory_unit_entity_t b
                ON b.host_id = a.host_id AND b.bank_id = a.bank_id AND b.unit_id = a.unit_id AND b.entity_id = t.other
              JOIN memory.agent_memory_unit_t u
                ON u.host_id = a.host_id AND u.bank_id = a.bank_id AND u.unit_id = a.unit_id
              WHERE a.host_id = t.host_id AND a.bank_id = t.bank_id AND a.entity_id = t.rarer) c
            WHERE c.times > 0
            ON CONFLICT (host_id, bank_id, entity_id_1, entity_id_2) DO UPDATE SET
              cooccur_count = excluded.cooccur_count, last_cooccurred = excluded.last_cooccurred,
              aggregate_version = excluded.aggregate_version, update_ts = excluded.update_ts
            """;

    private final Connection connection;
    private final boolean counting;
    private final Rows entities = new Rows("uuid uuid uuid");
    private final Rows pairs = new Rows("uuid uuid uuid uuid uuid");
    private final Rows before = new Rows("uuid uuid uuid uuid uuid");
    private final Map<Entity, Named> namedBefore = new HashMap<>();

    private record Entity(String host, String bank, String id) {}

    /** What it is called, in small letters, and whether it is the first of that name. */
    private record Named(String name, boolean active) {}

    /** @param counting false where all is {@linkplain Deferred counted later}, and nothing here */
    Mentions(Connection connection, boolean counting) {
        this.connection = connection;
        this.counting = counting;
    }

    /** These units go, or come to be about others: whom they are about until now. */
    void leave(Rows units) throws SQLException {
        if (!counting) {
            return;
        }
        units.query(connection, MENTIONED, entities);
        units.query(connection, TOGETHER, pairs);
        units.query(connection, TOGETHER, before);
        named().forEach(namedBefore::putIfAbsent);
    }

    /** These units are about whom they are about now. */
    void come(Rows units) throws SQLException {
        if (!counting) {
            return;
        }
        units.query(connection, MENTIONED, entities);
        units.query(connection, TOGETHER, pairs);
        named().forEach(namedBefore::putIfAbsent);
    }

    private Map<Entity, Named> named() throws SQLException {
        var named = new HashMap<Entity, Named>();
        entities.query(
                connection,
                NAMES,
                row -> named.put(
                        new Entity(row.getString(1), row.getString(2), row.getString(3)),
                        new Named(row.getString(4), row.getBoolean(5))));
        return named;
    }

    /** The names whose first one may be another by now: those that somebody has or had who is new, was renamed, or is gone. */
    private Rows contested() throws SQLException {
        Map<Entity, Named> now = named();
        var names = new Rows("uuid uuid text");
        namedBefore.forEach((entity, before) -> {
            Named its = now.get(entity);
            if (its == null || !its.name().equals(before.name())) {
                names.add(entity.host(), entity.bank(), before.name());
            }
        });
        now.forEach((entity, its) -> {
            if (!its.active()) {
                names.add(entity.host(), entity.bank(), its.name());
            }
        });
        return names;
    }

    /** Counts all that was touched. */
    void count() throws SQLException { // of nothing, where nothing was touched
        entities.run(connection, COUNT);
        entities.run(connection, NOBODY);
        Rows names = contested();
        names.run(connection, NOT_FIRST);
        names.run(connection, FIRST);
        before.run(connection, PAIRS_GONE);
        pairs.run(connection, PAIRS);
    }
}
