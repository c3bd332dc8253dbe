package dev.parley.sessions.projection;

import dev.parley.domain.protocol.TurnEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Loads the rows that the events of a batch may change. */
record BatchLoader(Connection connection) {
    SessionBatch load(List<TurnEvent> events) throws SQLException {
        var rows = new SessionBatch();
        var sessions = new LinkedHashSet<SessionBatch.Id>();
        var turns = new LinkedHashSet<SessionBatch.Id>();
        var changedQuestions = new LinkedHashSet<SessionBatch.Id>();
        for (TurnEvent event : events) {
            UUID host = event.meta().host();
            sessions.add(new SessionBatch.Id(host, event.meta().sessionId()));
            addIfPresent(turns, host, turn(event));
            addIfPresent(changedQuestions, host, turnWithChangedQuestion(event));
        }
        select(Tables.SESSIONS, "session_id", sessions).forEach(rows::add);
        loadOpen(rows, loadTurns(rows, turns));
        loadQuestions(rows, changedQuestions);
        return rows;
    }

    private static void addIfPresent(Set<SessionBatch.Id> ids, UUID host, @Nullable UUID id) {
        if (id != null) {
            ids.add(new SessionBatch.Id(host, id));
        }
    }

    private static @Nullable UUID turn(TurnEvent event) {
        return event instanceof TurnEvent.FeedbackGiven feedback
                ? feedback.turnId()
                : event.meta().turnId();
    }

    private static @Nullable UUID turnWithChangedQuestion(TurnEvent event) {
        return switch (event) {
            case TurnEvent.Transcribed e -> e.meta().turnId();
            case TurnEvent.TurnAccepted e -> e.retryOf();
            default -> null;
        };
    }

    /** Loads turns and returns the open ones. */
    private List<SessionBatch.Id> loadTurns(SessionBatch rows, Set<SessionBatch.Id> turns) throws SQLException {
        var open = new ArrayList<SessionBatch.Id>();
        for (Row.Turn turn : select(Tables.TURNS, "turn_id", turns)) {
            rows.add(turn);
            if (turn.completedTs == null) {
                open.add(new SessionBatch.Id(turn.hostId, turn.turnId));
            }
        }
        return open;
    }

    /** Loads the messages of open turns, and the tool calls without a result. */
    private void loadOpen(SessionBatch rows, List<SessionBatch.Id> turns) throws SQLException {
        var calling = new ArrayList<SessionBatch.Id>();
        for (Row.Message message : select(Tables.MESSAGES, "turn_id", turns)) {
            rows.add(message);
            if (message.openTools > 0) {
                calling.add(new SessionBatch.Id(message.hostId, message.messageId));
            }
        }
        select(Tables.PARTS, "message_id", calling, "tool_status IN ('pending', 'running')")
                .forEach(rows::add);
        if (!calling.isEmpty()) {
            select(Tables.TOOL_CALLS, "turn_id", turns, "completed_ts IS NULL").forEach(rows::add);
        }
    }

    /** Loads the user messages of turns, with their parts. */
    private void loadQuestions(SessionBatch rows, Set<SessionBatch.Id> turns) throws SQLException {
        var questions = new ArrayList<SessionBatch.Id>();
        for (Row.Message question : select(Tables.MESSAGES, "turn_id", turns, "seq = 0")) {
            rows.add(question);
            questions.add(new SessionBatch.Id(question.hostId, question.messageId));
        }
        select(Tables.PARTS, "message_id", questions).forEach(rows::add);
    }

    private <R extends Row> List<R> select(Table<R> table, String idColumn, Collection<SessionBatch.Id> ids)
            throws SQLException {
        return select(table, idColumn, ids, "true");
    }

    private <R extends Row> List<R> select(
            Table<R> table, String idColumn, Collection<SessionBatch.Id> ids, String condition) throws SQLException {
        if (ids.isEmpty()) {
            return List.of();
        }
        return table.select(
                connection,
                "(host_id, %s) IN (SELECT * FROM unnest(?::uuid[], ?::uuid[])) AND %s".formatted(idColumn, condition),
                ids.stream().map(SessionBatch.Id::host).toArray(),
                ids.stream().map(SessionBatch.Id::id).toArray());
    }
}
