package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.RowBatch;
import dev.parley.platform.projection.MovedException;
import dev.parley.sessions.history.Reverted;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads and writes the views in Postgres, in transactions of its caller. */
final class ViewStore {
    /** Advisory lock: held exclusively by a replay, shared by each batch of a projector. */
    static final long REPLAY_LOCK = 0x5041_5253_5245_504cL;

    private static final String HISTORY = """
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
            """.formatted(Reverted.LEFT_OUT);

    /** Sessions with turns that ended after their history was written. */
    private static final String STALE = """
            SELECT s.host_id, s.project_id, s.bank_id, s.session_id, max(t.aggregate_version), max(t.update_ts)
            FROM sessions.agent_session_t s JOIN sessions.agent_turn_t t USING (host_id, session_id)
            LEFT JOIN sessions.agent_session_history_t h USING (host_id, session_id)
            WHERE t.completed_ts IS NOT NULL AND t.aggregate_version > coalesce(h.aggregate_version, 0)
            GROUP BY s.host_id, s.project_id, s.bank_id, s.session_id
            """;

    private static final int STALE_MILLIS = (int) TimeUnit.MINUTES.toMillis(10);

    /** Batches below this size also write their sessions' histories; larger ones defer them. */
    private static final int QUIET = 64;

    private static final long HISTORIES_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Maximum number of histories in one transaction. */
    private static final int HISTORIES_AT_ONCE = 1_000;

    /** Under load histories take at most one part in this many of the projector's time. */
    private static final int HISTORIES_SHARE = 20;

    /** Sessions whose compact history is stale. Writing it is expensive, so it is deferred for busy sessions. */
    private final Map<SessionBatch.Id, Row.History> due = new LinkedHashMap<>();

    private List<Row.History> writing = List.of();
    private long historiesNext = System.nanoTime() + HISTORIES_NANOS;
    private long historiesTook;

    /** The result of a batch. */
    record Written(int events, int seen, int unknownItems, Map<Integer, Rejected> rejected) {}

    /**
     * Writes events; the caller commits, or rolls back where this throws.
     *
     * @return counts, and the rejected events by their index in the list
     */
    Written write(Connection connection, List<TurnEvent> events) throws SQLException {
        writing = List.of();
        var rejected = new TreeMap<Integer, Rejected>();
        int seen = 0;
        int unknownItems = 0;
        for (int from = 0; from < events.size(); from++) {
            int to = from;
            while (to < events.size() && !(events.get(to) instanceof TurnEvent.SessionErased)) {
                to++;
            }
            var rows = load(connection, events.subList(from, to));
            var fold = new Fold(rows);
            seen += fold(fold, events, from, to, rejected);
            unknownItems += fold.unknownItems();
            save(connection, rows, to - from);
            if (to < events.size()) {
                new ErasedRows(connection).remove((TurnEvent.SessionErased) events.get(to));
            }
            from = to;
        }
        return new Written(events.size() - seen - rejected.size(), seen, unknownItems, rejected);
    }

    /**
     * Folds the events in the range.
     *
     * @return number of duplicates
     */
    private static int fold(Fold fold, List<TurnEvent> events, int from, int to, Map<Integer, Rejected> rejected) {
        int seen = 0;
        for (int i = from; i < to; i++) {
            try {
                seen += fold.apply(events.get(i)) ? 0 : 1;
            } catch (Rejected e) {
                rejected.put(i, e);
            }
        }
        return seen;
    }

    /** Holds off a replay until the transaction ends. @throws MovedException while one is running */
    static void requireNoReplay(Connection connection) throws SQLException, MovedException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_try_advisory_xact_lock_shared(?)")) {
            statement.setLong(1, REPLAY_LOCK);
            var result = statement.executeQuery();
            result.next();
            if (!result.getBoolean(1)) {
                throw new MovedException("the views are being replayed");
            }
        }
    }

    // ---- reading what the batch starts from

    private static SessionBatch load(Connection connection, List<TurnEvent> events) throws SQLException {
        var rows = new SessionBatch();
        var sessions = new LinkedHashSet<SessionBatch.Id>();
        var turns = new LinkedHashSet<SessionBatch.Id>();
        var asking = new LinkedHashSet<SessionBatch.Id>();
        for (TurnEvent event : events) {
            sessions.add(new SessionBatch.Id(event.meta().host(), event.meta().sessionId()));
            UUID turnId = event.meta().turnId();
            if (turnId != null) {
                turns.add(new SessionBatch.Id(event.meta().host(), turnId));
            }
            UUID changed = questionChangedBy(event);
            if (changed != null) {
                asking.add(new SessionBatch.Id(event.meta().host(), changed));
            }
        }
        select(connection, Tables.SESSIONS, "session_id", sessions).forEach(rows::add);
        var open = new ArrayList<SessionBatch.Id>();
        for (Row.Turn turn : select(connection, Tables.TURNS, "turn_id", turns)) {
            rows.add(turn);
            if (turn.completedTs == null) {
                open.add(new SessionBatch.Id(turn.hostId, turn.turnId));
            }
        }
        loadOpen(connection, rows, open);
        loadQuestions(connection, rows, asking);
        return rows;
    }

    /** The turn whose question this event changes or moves. */
    private static @Nullable UUID questionChangedBy(TurnEvent event) {
        return switch (event) {
            case TurnEvent.Transcribed e -> e.meta().turnId();
            case TurnEvent.TurnAccepted e -> e.retryOf();
            default -> null;
        };
    }

    /** Of turns whose question changes or moves: that message, and what it is made of. */
    private static void loadQuestions(Connection connection, SessionBatch rows, Collection<SessionBatch.Id> turns)
            throws SQLException {
        var questions = new ArrayList<SessionBatch.Id>();
        for (Row.Message question : select(connection, Tables.MESSAGES, "seq = 0 AND turn_id", turns)) {
            rows.add(question);
            questions.add(new SessionBatch.Id(question.hostId, question.messageId));
        }
        select(connection, Tables.PARTS, "message_id", questions).forEach(rows::add);
    }

    /** Of open turns: their messages, and the calls without a result. */
    private static void loadOpen(Connection connection, SessionBatch rows, List<SessionBatch.Id> turns)
            throws SQLException {
        var calling = new ArrayList<SessionBatch.Id>();
        for (Row.Message message : select(connection, Tables.MESSAGES, "turn_id", turns)) {
            rows.add(message);
            if (message.openTools > 0) {
                calling.add(new SessionBatch.Id(message.hostId, message.messageId));
            }
        }
        select(connection, Tables.PARTS, "tool_status IN ('pending', 'running') AND message_id", calling)
                .forEach(rows::add);
        if (!calling.isEmpty()) {
            select(connection, Tables.TOOL_CALLS, "completed_ts IS NULL AND turn_id", turns)
                    .forEach(rows::add);
        }
    }

    private static <R extends Row> List<R> select(
            Connection connection, Table<R> table, String id, Collection<SessionBatch.Id> ids) throws SQLException {
        if (ids.isEmpty()) {
            return List.of();
        }
        int space = id.lastIndexOf(' ') + 1;
        String condition = id.substring(0, space)
                + "(host_id, %s) IN (SELECT * FROM unnest(?::uuid[], ?::uuid[]))".formatted(id.substring(space));
        return table.select(
                connection,
                condition,
                ids.stream().map(SessionBatch.Id::host).toArray(),
                ids.stream().map(SessionBatch.Id::id).toArray());
    }

    // ---- writing what it changed; parents before children

    private void save(Connection connection, SessionBatch rows, int events) throws SQLException {
        var sessions = rows.changed(Row.Session.class).stream()
                .sorted(Comparator.comparing((Row.Session session) -> session.key)
                        .thenComparingLong(session -> session.epoch))
                .toList();
        projects(
                connection,
                sessions.stream().filter(session -> session.slug == null).toList());
        new Slugs(connection).assign(rows.changed(Row.Session.class).stream().toList());
        Tables.SESSIONS.upsert(connection, sessions);
        Tables.TURNS.upsert(connection, rows.changed(Row.Turn.class));
        Tables.MESSAGES.upsert(connection, rows.changed(Row.Message.class));
        Tables.PARTS.upsert(connection, rows.changed(Row.Part.class));
        Tables.MODEL_CALLS.upsert(connection, lastOf(rows.changed(Row.ModelCall.class)));
        Tables.TOOL_CALLS.upsert(connection, rows.changed(Row.ToolCall.class));
        Tables.SESSION_EVENTS.upsert(connection, rows.changed(Row.SessionEvent.class));
        Tables.SESSION_FILES.upsert(connection, rows.changed(Row.SessionFile.class));
        removeTodos(connection, rows.replacedTodos());
        Tables.TODOS.upsert(connection, rows.changed(Row.Todo.class));
        rows.histories().forEach(history -> due.put(new SessionBatch.Id(history.hostId, history.sessionId), history));
        if (events < QUIET || System.nanoTime() - historiesNext > 0) {
            writeHistories(connection);
        }
    }

    /** Deletes the old list: a shorter new one would keep its end. */
    private static void removeTodos(Connection connection, Collection<SessionBatch.Id> sessions) throws SQLException {
        var rows = new RowBatch("uuid uuid");
        sessions.forEach(session -> rows.add(session.host(), session.id()));
        rows.run(connection, "DELETE FROM sessions.todo_t WHERE (host_id, session_id) IN (SELECT * FROM $rows)");
    }

    /** A failed call and its partial answer are one attempt, and one row. */
    private static Collection<Row.ModelCall> lastOf(Collection<Row.ModelCall> calls) {
        record Attempt(UUID host, UUID call, int attempt) {}
        var last = new TreeMap<Attempt, Row.ModelCall>(
                Comparator.comparing(Attempt::host).thenComparing(Attempt::call).thenComparingInt(Attempt::attempt));
        calls.forEach(call -> last.put(new Attempt(call.hostId, call.callId, call.attempt), call));
        return last.values();
    }

    /** Inserts hosts and projects on first use. */
    private static void projects(Connection connection, List<Row.Session> opened) throws SQLException {
        var hosts = new TreeMap<UUID, UUID>();
        opened.forEach(session -> hosts.put(session.projectId, session.hostId));
        var rows = new RowBatch("uuid uuid");
        hosts.forEach((project, host) -> rows.add(host, project));
        rows.run(connection, """
                INSERT INTO sessions.host_t (host_id, name)
                SELECT DISTINCT host, host::text AS name FROM $rows AS n (host, project) ORDER BY host ON CONFLICT DO NOTHING
                """);
        rows.run(connection, """
                INSERT INTO sessions.project_t (host_id, project_id, project_key)
                SELECT host, project, project::text FROM $rows AS n (host, project) ON CONFLICT DO NOTHING
                """);
    }

    /** Whether a history is stale. */
    boolean historiesAreDue() {
        return !due.isEmpty();
    }

    /** Like {@link #writeHistories}, unless a replay is running, which writes them itself. */
    void writeDueHistories(Connection connection) throws SQLException, MovedException {
        requireNoReplay(connection);
        writeHistories(connection);
    }

    /** Writes stale histories, the oldest first; they stay due until {@link #committed}. */
    void writeHistories(Connection connection) throws SQLException {
        long begin = System.nanoTime();
        writing = due.values().stream().limit(HISTORIES_AT_ONCE).toList();
        var rows = new RowBatch("uuid uuid uuid uuid int8 timestamptz");
        writing.forEach(h -> rows.add(h.hostId, h.projectId, h.bankId, h.sessionId, h.version, h.updateTs));
        rows.run(connection, HISTORY);
        historiesTook = System.nanoTime() - begin;
    }

    /** The transaction was committed. */
    void committed() {
        if (!writing.isEmpty()) {
            writing.forEach(history -> due.remove(new SessionBatch.Id(history.hostId, history.sessionId), history));
            historiesNext = System.nanoTime() + Math.max(HISTORIES_NANOS, HISTORIES_SHARE * historiesTook);
            writing = List.of();
        }
    }

    /** Finds stale histories that a crashed process left behind. */
    void findStaleHistories(Connection connection) throws SQLException {
        int usual = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, STALE_MILLIS); // it reads all sessions
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
                due.putIfAbsent(new SessionBatch.Id(history.hostId, history.sessionId), history);
            }
        } finally {
            connection.setNetworkTimeout(Runnable::run, usual);
        }
    }
}
