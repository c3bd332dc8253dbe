package dev.parley.sessions.projection;

import dev.parley.platform.database.RowBatch;
import dev.parley.sessions.history.RevertedMessages;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Writes the compact history of a session after its turns. This is expensive, so it is deferred while the projector is
 * busy: stale histories are due until the transaction that writes them is committed. Its SQL is by hand: a batch with
 * one array per column, on the connection of the projection's batch.
 */
final class SessionHistories {
    private static final String UPSERT = """
            INSERT INTO sessions.agent_session_history_t AS old
              (host_id, project_id, bank_id, session_id, messages, metadata, aggregate_version, update_ts, update_user)
            SELECT h.host_id, h.project_id, h.bank_id, h.session_id, coalesce(c.messages, '[]'),
                   jsonb_build_object('summary', s.summary, 'summaryUpTo', s.summary_up_to), h.version, h.update_ts, 'parley'
            FROM $rows AS h (host_id, project_id, bank_id, session_id, version, update_ts)
            JOIN sessions.agent_session_t s ON s.host_id = h.host_id AND s.session_id = h.session_id
            CROSS JOIN LATERAL (
              SELECT greatest(
                coalesce((SELECT t.start_position FROM sessions.agent_turn_t t WHERE t.host_id = s.host_id
                            AND t.session_id = s.session_id AND t.turn_seq = s.summary_up_to), 0),
                coalesce((SELECT max(e.seq) - (max(e.seq) FILTER (WHERE e.kind = 'seed') IS NOT DISTINCT FROM max(e.seq))::int
                          FROM sessions.session_event_t e WHERE e.host_id = s.host_id AND e.session_id = s.session_id
                            AND e.kind IN ('clear', 'seed')), 0)) AS boundary) b
            LEFT JOIN LATERAL (
              SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                       'role', m.role, 'content', p.said, 'toolCalls', p.calls)) ORDER BY m.place, m.seq) AS messages
              FROM (
                SELECT m.host_id, m.message_id, m.role, m.seq,
                       CASE WHEN m.seq = 0 AND m.turn_id IS NOT NULL THEN t.start_position ELSE m.position END AS place
                FROM sessions.agent_message_t m
                LEFT JOIN sessions.agent_turn_t t ON t.host_id = m.host_id AND t.turn_id = m.turn_id
                WHERE m.host_id = s.host_id AND m.session_id = s.session_id AND m.answered AND m.role <> 'system'
                  AND (m.turn_id IS NULL OR (t.completed_ts IS NOT NULL AND t.start_position > b.boundary))
                  AND (m.turn_id IS NOT NULL OR m.position > b.boundary)
                  %s
                ORDER BY m.position DESC, m.seq DESC
                LIMIT 100) m
              CROSS JOIN LATERAL (
                SELECT string_agg(p.content->>'text', E'\\n' ORDER BY p.idx) FILTER (WHERE p.kind = 'text') AS said,
                       jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                         'name', p.tool_name, 'status', p.tool_status, 'arguments', left(p.content->>'arguments', 2000),
                         'result', left(p.content->>'result', 2000))) ORDER BY p.idx) FILTER (WHERE p.kind = 'tool') AS calls
                FROM sessions.agent_message_part_t p
                WHERE p.host_id = m.host_id AND p.message_id = m.message_id AND p.kind IN ('text', 'tool')) p) c ON true
            ON CONFLICT (host_id, session_id) DO UPDATE SET
              bank_id = excluded.bank_id, messages = excluded.messages, metadata = excluded.metadata, aggregate_version = excluded.aggregate_version,
              update_ts = excluded.update_ts
            """.formatted(RevertedMessages.LEFT_OUT);

    /** Sessions with turns that ended after their history was written. */
    private static final String STALE = """
            SELECT s.host_id, s.project_id, s.bank_id, s.session_id, max(t.aggregate_version), max(t.update_ts)
            FROM sessions.agent_session_t s JOIN sessions.agent_turn_t t USING (host_id, session_id)
            LEFT JOIN sessions.agent_session_history_t h USING (host_id, session_id)
            WHERE t.completed_ts IS NOT NULL AND t.aggregate_version > coalesce(h.aggregate_version, 0)
            GROUP BY s.host_id, s.project_id, s.bank_id, s.session_id
            """;

    private static final int STALE_MILLIS = (int) TimeUnit.MINUTES.toMillis(10);

    /** Batches below this number of events also write histories; larger ones defer them. */
    private static final int SMALL_BATCH = 64;

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Maximum number of histories in one transaction. */
    private static final int MAX_WRITTEN = 1_000;

    /** Under load the pause after a write is at least this many times its duration. */
    private static final int PAUSE_FACTOR = 20;

    private final Map<SessionBatch.Id, Row.History> due = new LinkedHashMap<>();
    private List<Row.History> writing = List.of();
    private long nextWrite = System.nanoTime() + INTERVAL_NANOS;
    private long lastTook;

    boolean areDue() {
        return !due.isEmpty();
    }

    /** Starts a transaction; histories of an earlier, uncommitted one stay due. */
    void begin() {
        writing = List.of();
    }

    /** Marks the histories that a batch made stale. They are written now, unless the projector is busy. */
    void add(Connection connection, Collection<Row.History> stale, int events) throws SQLException {
        stale.forEach(history -> due.put(id(history), history));
        if (events < SMALL_BATCH || System.nanoTime() - nextWrite > 0) {
            write(connection);
        }
    }

    /** Writes stale histories, the oldest first; they stay due until {@link #onCommitted}. */
    void write(Connection connection) throws SQLException {
        long start = System.nanoTime();
        writing = due.values().stream().limit(MAX_WRITTEN).toList();
        var rows = new RowBatch("uuid uuid uuid uuid int8 timestamptz");
        writing.forEach(h -> rows.add(h.hostId, h.projectId, h.bankId, h.sessionId, h.version, h.updateTs));
        rows.run(connection, UPSERT);
        lastTook = System.nanoTime() - start;
    }

    /** The transaction was committed. */
    void onCommitted() {
        if (!writing.isEmpty()) {
            writing.forEach(history -> due.remove(id(history), history));
            nextWrite = System.nanoTime() + Math.max(INTERVAL_NANOS, PAUSE_FACTOR * lastTook);
            writing = List.of();
        }
    }

    /**
     * Finds stale histories that a crashed process left behind. The query reads all sessions; it fails after 10 min.
     */
    void findStale(Connection connection) throws SQLException {
        int usualTimeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, STALE_MILLIS);
        try (PreparedStatement statement = connection.prepareStatement(STALE);
                var result = statement.executeQuery()) {
            while (result.next()) {
                var history = new Row.History();
                history.hostId = result.getObject(1, UUID.class);
                history.projectId = result.getObject(2, UUID.class);
                history.bankId = result.getObject(3, UUID.class);
                history.sessionId = result.getObject(4, UUID.class);
                history.version = result.getLong(5);
                history.updateTs = result.getObject(6, OffsetDateTime.class).toInstant();
                due.putIfAbsent(id(history), history);
            }
        } finally {
            connection.setNetworkTimeout(Runnable::run, usualTimeout);
        }
    }

    private static SessionBatch.Id id(Row.History history) {
        return new SessionBatch.Id(history.hostId, history.sessionId);
    }
}
