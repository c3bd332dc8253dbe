package dev.parley.sessions.projection;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows that a batch loaded, and those that it changed. */
final class SessionBatch {
    /** An id is unique inside its host. */
    record Id(UUID host, UUID id) {}

    private record File(UUID host, UUID session, String sha256) {}

    private record OpinionId(UUID host, UUID turn, String user, String emoji) {}

    private record HandoffId(UUID host, UUID session, UUID handoff) {}

    private final Map<Id, Row.Session> sessions = new HashMap<>();
    private final Map<Id, Row.Turn> turns = new HashMap<>();
    private final Map<Id, TreeMap<Integer, Row.Message>> messages = new HashMap<>();
    private final Map<Id, Row.Part> parts = new HashMap<>();
    private final Map<Id, Row.ToolCall> toolCalls = new HashMap<>();
    private final Map<File, Row.SessionFile> files = new HashMap<>();
    private final Map<OpinionId, Row.Feedback> feedback = new HashMap<>();
    private final Map<HandoffId, Row.Handoff> handoffs = new HashMap<>();
    private final Map<Id, List<Row.Todo>> todos = new HashMap<>();
    private final Map<Id, Row.History> histories = new HashMap<>();
    /** By table, each in order of first change. */
    private final Map<Class<?>, Set<Row>> changed = new HashMap<>();

    void add(Row.Session row) {
        sessions.put(new Id(row.hostId, row.sessionId), row);
    }

    void add(Row.Turn row) {
        turns.put(new Id(row.hostId, row.turnId), row);
    }

    void add(Row.Message row) {
        if (row.turnId != null) {
            messages.computeIfAbsent(new Id(row.hostId, row.turnId), _ -> new TreeMap<>())
                    .put(row.seq, row);
        }
    }

    void add(Row.Part row) {
        putLast(parts, new Id(row.hostId, row.partId), row);
    }

    void add(Row.ToolCall row) {
        toolCalls.put(new Id(row.hostId, row.callId), row);
    }

    void add(Row.SessionFile row) {
        putLast(files, new File(row.hostId, row.sessionId, row.sha256), row);
    }

    void add(Row.Feedback row) {
        putLast(feedback, new OpinionId(row.hostId, row.turnId, row.userId, row.emoji), row);
    }

    void add(Row.Handoff row) {
        putLast(handoffs, new HandoffId(row.hostId, row.sessionId, row.handoffId), row);
    }

    /** Puts a row of which only the last state is written. */
    private <K, R extends Row> void putLast(Map<K, R> known, K id, R row) {
        R before = known.put(id, row);
        if (before != null) {
            ofTable(before).remove(before);
        }
    }

    /** Replaces all todos of a session. */
    void replace(Row.Session session, List<Row.Todo> rows) {
        List<Row.Todo> before = todos.put(new Id(session.hostId, session.sessionId), rows);
        if (before != null) {
            before.forEach(row -> ofTable(row).remove(row));
        }
    }

    void add(Row.History row) {
        histories.put(new Id(row.hostId, row.sessionId), row);
    }

    Row.@Nullable Session session(UUID host, UUID id) {
        return sessions.get(new Id(host, id));
    }

    Row.@Nullable Turn turn(UUID host, UUID id) {
        return turns.get(new Id(host, id));
    }

    /** The messages of a turn, by number. */
    NavigableMap<Integer, Row.Message> messages(Row.Turn turn) {
        return messages.computeIfAbsent(new Id(turn.hostId, turn.turnId), _ -> new TreeMap<>());
    }

    /** Removes the user message from its turn, so that another turn can have it; null where there is none. */
    Row.@Nullable Message takeQuestion(UUID host, UUID turn) {
        TreeMap<Integer, Row.Message> ofTurn = messages.get(new Id(host, turn));
        return ofTurn == null ? null : ofTurn.remove(0);
    }

    /** The part of a message, if it was loaded or this batch created it. */
    Row.@Nullable Part part(Row.Message message, int idx) {
        return parts.get(new Id(message.hostId, PartMapping.id(message.messageId, idx)));
    }

    /** The parts of a message that were loaded or that this batch created, in order. */
    List<Row.Part> parts(Row.Message message) {
        return IntStream.range(0, message.partCount)
                .boxed()
                .flatMap(idx -> Stream.ofNullable(part(message, idx)))
                .toList();
    }

    Row.@Nullable ToolCall toolCall(UUID host, UUID id) {
        return toolCalls.get(new Id(host, id));
    }

    /** Marks the row as changed. */
    void changed(Row row) {
        ofTable(row).add(row);
    }

    private Set<Row> ofTable(Row row) {
        return changed.computeIfAbsent(row.getClass(), _ -> new LinkedHashSet<>());
    }

    <R extends Row> Collection<R> changed(Class<R> type) {
        return changed.getOrDefault(type, Set.of()).stream().map(type::cast).toList();
    }

    /** Sessions whose todos were replaced. */
    Set<Id> replacedTodos() {
        return todos.keySet();
    }

    Collection<Row.History> histories() {
        return histories.values();
    }
}
