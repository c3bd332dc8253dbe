package dev.parley.memory.view;

import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work that a replay defers to its end, where it is much cheaper: indexes it does not need, foreign keys of rows
 * written together with their targets, deletion of dangling links, and counts. The definitions are stored in a table
 * when they are dropped. If a replay is killed, the next process that finds definitions there restores them first; no
 * projector writes before, and a replay that lost its lock does not continue. Hand-written SQL: it changes indexes and
 * reads system tables, on connections outside the pool.
 */
public final class DeferredIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredIndexes.class);

    /**
     * Drops indexes, except those needed by erasures during a replay, and the foreign keys that hold because of how
     * rows are written, except those to documents.
     */
    private static final String DROP = """
            WITH dropped AS (
              SELECT pg_get_indexdef(x.indexrelid) AS definition, format('DROP INDEX %I.%I', n.nspname, i.relname) AS drop
              FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
              JOIN pg_namespace n ON n.oid = t.relnamespace
              WHERE n.nspname = 'memory' AND t.relname = ANY (?)
                AND i.relname NOT IN ('idx_mem_link_to', 'idx_mem_unit_doc', 'idx_mem_unit_source_unit')
                AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = x.indexrelid)
              UNION ALL
              SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, t.relname, c.conname, pg_get_constraintdef(c.oid)),
                format('ALTER TABLE %I.%I DROP CONSTRAINT %I', n.nspname, t.relname, c.conname)
              FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
              WHERE n.nspname = 'memory' AND c.contype = 'f' AND t.relname IN ('agent_memory_doc_t', 'agent_memory_unit_t',
                  'agent_memory_link_t', 'agent_memory_unit_source_t', 'agent_memory_unit_entity_t', 'agent_memory_entity_cooccur_t')
                AND c.confrelid <> 'memory.agent_memory_doc_t'::regclass),
            noted AS (INSERT INTO memory.replay_deferred_t (definition) SELECT definition FROM dropped)
            SELECT drop FROM dropped
            """;

    /** Skips tables that are being analysed already. */
    private static final String ANALYZE = """
            ANALYZE (SKIP_LOCKED) memory.agent_memory_doc_t (bank_id, doc_id), memory.agent_memory_unit_t (bank_id, unit_id, doc_id),
              memory.agent_memory_unit_entity_t (bank_id, unit_id, entity_id), memory.agent_memory_link_t (bank_id, from_unit_id, to_unit_id)
            """;

    /** Links without an end, which a projector does not write. */
    private static final String DELETE_DANGLING_LINKS = """
            DELETE FROM memory.agent_memory_link_t l WHERE NOT EXISTS (
              SELECT FROM memory.agent_memory_unit_t u
              WHERE u.host_id = l.host_id AND u.bank_id = l.bank_id AND u.unit_id = l.%s)
            """;

    private static final List<String> COUNT = List.of(
            "DELETE FROM memory.agent_memory_entity_cooccur_t", "DELETE FROM memory.agent_memory_entity_t", """
            INSERT INTO memory.agent_memory_entity_t
              (host_id, bank_id, project_id, entity_id, canonical_name, mention_count, active, aggregate_version, update_ts)
            SELECT host_id, bank_id, project_id, entity_id, name, mentions,
              row_number() OVER (PARTITION BY host_id, bank_id, lower(name) ORDER BY entity_id) = 1, version, at
            FROM (SELECT host_id, bank_id, project_id, entity_id, count(*)::int AS mentions,
                    (array_agg(name ORDER BY char_length(name) DESC, name COLLATE "C"))[1] AS name,
                    max(aggregate_version) AS version, (array_agg(update_ts ORDER BY aggregate_version DESC))[1] AS at
                  FROM memory.agent_memory_unit_entity_t GROUP BY host_id, bank_id, project_id, entity_id) m
            """, """
            INSERT INTO memory.agent_memory_entity_cooccur_t
              (host_id, bank_id, project_id, entity_id_1, entity_id_2, cooccur_count, last_cooccurred, aggregate_version, update_ts)
            SELECT a.host_id, a.bank_id, a.project_id, a.entity_id, b.entity_id, count(*)::int,
              (array_agg(u.event_date ORDER BY a.aggregate_version DESC))[1], max(a.aggregate_version),
              (array_agg(a.update_ts ORDER BY a.aggregate_version DESC))[1]
            FROM memory.agent_memory_unit_entity_t a
            JOIN memory.agent_memory_unit_entity_t b
              ON b.host_id = a.host_id AND b.bank_id = a.bank_id AND b.unit_id = a.unit_id AND a.entity_id < b.entity_id
            JOIN memory.agent_memory_unit_t u
              ON u.host_id = a.host_id AND u.bank_id = a.bank_id AND u.unit_id = a.unit_id
            GROUP BY a.host_id, a.bank_id, a.project_id, a.entity_id, b.entity_id
            """);

    /** Projectors hold the lock for moments, a replay all the time. */
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration RETRY_DELAY = Duration.ofMinutes(1);

    private DeferredIndexes() {}

    /** Drops deferred indexes and foreign keys, in the transaction that empties the tables. */
    static void defer(Connection connection) throws SQLException {
        try (PreparedStatement found = connection.prepareStatement(DROP);
                Statement statement = connection.createStatement()) {
            found.setArray(1, connection.createArrayOf("text", MemoryReplay.VIEWS.toArray()));
            try (ResultSet rows = found.executeQuery()) {
                for (String drop : texts(rows)) {
                    statement.execute(drop);
                }
            }
        }
    }

    private static List<String> texts(ResultSet rows) throws SQLException {
        return Columns.<String>list(row -> row.getString(1)).read(rows);
    }

    /**
     * Restores all dropped definitions or, on failure, none; does nothing if none was dropped. The caller holds {@link
     * MemoryReplay#LOCK}.
     *
     * @param database connected as the role that owns the tables
     */
    static void restore(Database database) throws SQLException {
        try (Connection connection = database.begin(Tenant.ALL);
                Statement statement = connection.createStatement()) {
            List<String> definitions = takeDefinitions(statement);
            if (!definitions.isEmpty()) {
                restore(statement, definitions);
            }
            connection.commit();
        }
    }

    private static List<String> takeDefinitions(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("DELETE FROM memory.replay_deferred_t RETURNING definition")) {
            return texts(rows);
        }
    }

    private static void restore(Statement statement, List<String> definitions) throws SQLException {
        // Parallel workers share memory, and a container has only as much as one HNSW index takes without them.
        statement.execute("SET LOCAL max_parallel_maintenance_workers = 0; SET LOCAL work_mem = '64MB';"
                + " SET LOCAL default_statistics_target = 10");
        statement.execute(ANALYZE);
        statement.execute(DELETE_DANGLING_LINKS.formatted("from_unit_id"));
        statement.execute(DELETE_DANGLING_LINKS.formatted("to_unit_id"));
        for (String count : COUNT) {
            statement.execute(count);
        }
        for (String definition : definitions) {
            statement.execute(definition);
        }
    }

    /**
     * Restores what a killed replay deferred, in the background: it may take minutes, and Postgres may still be busy
     * with the killed replay. Retries until nothing is left.
     *
     * @param owner connects as the role that owns the tables
     */
    public static void restoreInBackground(DataSource owner) throws SQLException {
        try (Connection connection = owner.getConnection()) {
            if (isLeft(connection)) {
                Thread.ofVirtual().name("memory-settling").start(() -> restoreUntilDone(owner));
            }
        }
    }

    private static void restoreUntilDone(DataSource owner) {
        LOG.info("memory replay was interrupted; its tables are completed first");
        while (true) {
            try (Connection connection = owner.getConnection()) {
                if (restoreIfUnlocked(connection)) {
                    LOG.info("memory tables are complete");
                    return;
                }
            } catch (SQLException e) {
                LOG.atWarn().setCause(e).log("memory tables could not be completed; retrying in a minute");
            }
            try {
                Thread.sleep(RETRY_DELAY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Whether a killed replay left definitions. */
    static boolean isLeft(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT EXISTS (SELECT FROM memory.replay_deferred_t)")) {
            result.next();
            return result.getBoolean(1);
        }
    }

    /**
     * Locks the stored definitions until this transaction ends.
     *
     * @return whether there are any, so whether the replay still owns them
     */
    static boolean isKept(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("SELECT FROM memory.replay_deferred_t LIMIT 1 FOR KEY SHARE")) {
            return result.next();
        }
    }

    /** @return whether nothing is left; false where another process is at work */
    private static boolean restoreIfUnlocked(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
        if (!isLeft(connection)) {
            return true;
        }
        if (!MemoryReplay.LOCK.take(connection, LOCK_TIMEOUT)) {
            return false;
        }
        try {
            restore(Database.on(connection));
            return true;
        } finally {
            MemoryReplay.LOCK.release(connection);
        }
    }
}
