package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.platform.database.RowBatch;
import dev.parley.platform.projection.MovedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Reads and writes the views in Postgres, in transactions of its caller. Hand-written SQL: a batch is one array per
 * column, see {@link Table}.
 */
final class ViewStore {
    private final SessionHistories histories = new SessionHistories();

    /** The result of a batch. */
    record Written(int events, int duplicates, int unknownItems, Map<Integer, RejectedEventException> rejected) {}

    /**
     * Writes events; the caller commits, or rolls back where this throws.
     *
     * @return counts, and the rejected events by their index in the list
     */
    Written write(Connection connection, List<TurnEvent> events) throws SQLException {
        histories.begin();
        var rejected = new TreeMap<Integer, RejectedEventException>();
        int duplicates = 0;
        int unknownItems = 0;
        for (int from = 0; from < events.size(); from++) {
            int to = from;
            while (to < events.size() && !(events.get(to) instanceof TurnEvent.SessionErased)) {
                to++;
            }
            var rows = new BatchLoader(connection).load(events.subList(from, to));
            var fold = new EventFold(rows);
            duplicates += fold(fold, events, from, to, rejected);
            unknownItems += fold.unknownItems();
            save(connection, rows, to - from);
            if (to < events.size()) {
                new ErasedRows(connection).remove((TurnEvent.SessionErased) events.get(to));
            }
            from = to;
        }
        return new Written(events.size() - duplicates - rejected.size(), duplicates, unknownItems, rejected);
    }

    /**
     * Folds the events in the range.
     *
     * @return number of duplicates
     */
    private static int fold(
            EventFold fold, List<TurnEvent> events, int from, int to, Map<Integer, RejectedEventException> rejected) {
        int duplicates = 0;
        for (int i = from; i < to; i++) {
            try {
                duplicates += fold.apply(events.get(i)) ? 0 : 1;
            } catch (RejectedEventException e) {
                rejected.put(i, e);
            }
        }
        return duplicates;
    }

    /**
     * Holds off a replay until the transaction ends.
     *
     * @throws MovedException while one is running
     */
    static void requireNoReplay(Connection connection) throws SQLException, MovedException {
        if (!SessionViewsReplay.LOCK.share(connection)) {
            throw new MovedException("the views are being replayed");
        }
    }

    /** Writes changed rows, parents before children. */
    private void save(Connection connection, SessionBatch rows, int events) throws SQLException {
        var sessions = rows.changed(Row.Session.class).stream()
                .sorted(Comparator.comparing((Row.Session session) -> session.key)
                        .thenComparingLong(session -> session.epoch))
                .toList();
        insertProjects(
                connection,
                sessions.stream().filter(session -> session.slug == null).toList());
        new Slugs(connection).assign(rows.changed(Row.Session.class).stream().toList());
        Tables.SESSIONS.upsert(connection, sessions);
        Tables.TURNS.upsert(connection, rows.changed(Row.Turn.class));
        Tables.MESSAGES.upsert(connection, rows.changed(Row.Message.class));
        Tables.PARTS.upsert(connection, rows.changed(Row.Part.class));
        Tables.MODEL_CALLS.upsert(connection, lastAttempts(rows.changed(Row.ModelCall.class)));
        Tables.TOOL_CALLS.upsert(connection, rows.changed(Row.ToolCall.class));
        Tables.SESSION_EVENTS.upsert(connection, rows.changed(Row.SessionEvent.class));
        Tables.SESSION_FILES.upsert(connection, rows.changed(Row.SessionFile.class));
        Tables.FEEDBACK.upsert(connection, rows.changed(Row.Feedback.class));
        Tables.HANDOFFS.upsert(connection, rows.changed(Row.Handoff.class));
        removeTodos(connection, rows.replacedTodos());
        Tables.TODOS.upsert(connection, rows.changed(Row.Todo.class));
        histories.add(connection, rows.histories(), events);
    }

    /** Deletes the old list: a shorter new one would keep its end. */
    private static void removeTodos(Connection connection, Collection<SessionBatch.Id> sessions) throws SQLException {
        var rows = new RowBatch("uuid uuid");
        sessions.forEach(session -> rows.add(session.host(), session.id()));
        rows.run(connection, "DELETE FROM sessions.todo_t WHERE (host_id, session_id) IN (SELECT * FROM $rows)");
    }

    /** A failed call and its partial answer are one attempt, and one row. */
    private static Collection<Row.ModelCall> lastAttempts(Collection<Row.ModelCall> calls) {
        record Attempt(UUID host, UUID call, int attempt) {}
        var last = new TreeMap<Attempt, Row.ModelCall>(
                Comparator.comparing(Attempt::host).thenComparing(Attempt::call).thenComparingInt(Attempt::attempt));
        calls.forEach(call -> last.put(new Attempt(call.hostId, call.callId, call.attempt), call));
        return last.values();
    }

    /** Inserts hosts and projects on first use. */
    private static void insertProjects(Connection connection, List<Row.Session> opened) throws SQLException {
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
        return histories.areDue();
    }

    /** Writes stale histories, unless a replay is running, which writes them itself. */
    void writeDueHistories(Connection connection) throws SQLException, MovedException {
        requireNoReplay(connection);
        histories.write(connection);
    }

    /** The transaction was committed. */
    void onCommitted() {
        histories.onCommitted();
    }

    /** Finds stale histories that a crashed process left behind. */
    void findStaleHistories(Connection connection) throws SQLException {
        histories.findStale(connection);
    }
}
