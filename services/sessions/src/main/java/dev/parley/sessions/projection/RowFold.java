package dev.parley.sessions.projection;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Base of all folds: finds, creates and stamps the rows of a batch. */
abstract class RowFold {
    static final String SYSTEM = "system";

    final SessionBatch rows;
    private int unknownItems;

    RowFold(SessionBatch rows) {
        this.rows = rows;
    }

    /** Number of content items of an unknown kind. */
    final int unknownItems() {
        return unknownItems;
    }

    /**
     * The open turn of an event.
     *
     * @throws RejectedEventException where there is none
     */
    Row.Turn openTurn(EventMeta meta) {
        Row.Turn turn = meta.turnId() == null ? null : rows.turn(meta.host(), meta.turnId());
        if (turn == null) {
            throw new RejectedEventException(
                    "turn " + meta.turnId() + " is not known: the event that accepted it is missing");
        }
        if (turn.completedTs != null) {
            throw new RejectedEventException("turn " + turn.turnId + " has already ended");
        }
        return turn;
    }

    /**
     * A message of a turn.
     *
     * @throws RejectedEventException where there is none
     */
    Row.Message requireMessage(Row.Turn turn, int index) {
        Row.Message message = rows.messages(turn).get(index);
        if (message == null) {
            throw new RejectedEventException("message " + index + " of turn " + turn.turnId + " is missing");
        }
        return message;
    }

    /**
     * The part of a tool call.
     *
     * @throws RejectedEventException where there is none
     */
    Row.Part requireToolPart(Row.Message message, int idx) {
        Row.Part part = rows.part(message, idx);
        if (part == null || part.toolStatus == null) {
            throw new RejectedEventException(
                    "part " + idx + " of message " + message.messageId + " is not an open tool call");
        }
        return part;
    }

    Row.Message addMessage(Row.Session session, Row.Turn turn, EventMeta meta, int index, Role role) {
        return addMessage(session, turn, meta, index, code(role));
    }

    Row.Message addMessage(Row.Session session, Row.Turn turn, EventMeta meta, int index, String role) {
        var message = newMessage(session, meta, Ids.message(turn.turnId, index), index, role);
        addTo(turn, message);
        return message;
    }

    void addTo(Row.Turn turn, Row.Message message) {
        message.turnId = turn.turnId;
        turn.messageCount = Math.max(turn.messageCount, message.seq + 1);
        rows.add(message);
    }

    Row.Message newMessage(Row.Session session, EventMeta meta, UUID id, int seq, String role) {
        var message = initialise(session, meta, new Row.Message());
        message.messageId = id;
        message.seq = seq;
        message.position = meta.seq();
        message.role = role;
        message.createdTs = at(meta);
        message.completedTs = message.createdTs;
        session.messageCount += role.equals(SYSTEM) ? 0 : 1; // instructions are not part of the conversation
        return message;
    }

    /** Writes blocks as parts of a message, from an index on; parts at these indexes are replaced. */
    void putParts(Row.Message message, int from, List<Block> blocks) {
        int idx = from;
        for (Block block : blocks) {
            putPart(message, PartMapping.of(message, idx++, block));
            unknownItems += PartMapping.isUnknown(block) ? 1 : 0;
        }
    }

    void putPart(Row.Message message, Row.Part part) {
        part.updateUser = message.updateUser;
        message.partCount = part.idx + 1;
        rows.add(part);
        rows.changed(part);
    }

    /** Records a named file. It stays with the session even where its message is replaced, so that erasure finds it. */
    void addFile(Row.Session session, String sha256, EventMeta meta) {
        var file = initialise(session, meta, new Row.SessionFile());
        file.sha256 = ColumnText.clip(sha256, 64);
        rows.add(file);
    }

    /** Marks the compact history of the session as stale. */
    void markHistoryStale(Row.Session session, EventMeta meta) {
        var history = initialise(session, meta, new Row.History());
        history.bankId = session.bankId;
        rows.add(history);
    }

    /** Fills the ids of a new row from a row of its session, and stamps it. */
    <R extends Row> R initialise(Row parent, EventMeta meta, R row) {
        row.hostId = parent.hostId;
        row.projectId = parent.projectId;
        row.sessionId = parent.sessionId;
        touch(row, meta);
        return row;
    }

    /** Marks a row as changed by an event. */
    void touch(Row row, EventMeta meta) {
        row.version = meta.seq();
        row.updateTs = at(meta);
        rows.changed(row);
    }

    /** The time of an event in microseconds, the precision of Postgres. */
    static Instant at(EventMeta meta) {
        return at(meta.at());
    }

    static Instant at(Instant time) {
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    static String code(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    static String code(FinishReason finish) {
        return finish.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The assistant message of a model call that has not been answered yet. */
    Optional<Row.Message> inFlight(Row.Turn turn) {
        return rows.messages(turn).values().stream()
                .filter(message -> !message.answered)
                .findFirst();
    }

    Row.ModelCall newModelCall(Row parent, EventMeta meta, UUID callId, int attempt, int step, String purpose) {
        var call = initialise(parent, meta, new Row.ModelCall());
        call.callId = callId;
        call.attempt = attempt;
        call.step = step;
        call.purpose = purpose;
        call.completedTs = at(meta);
        return call;
    }

    static void setUsage(Row.ModelCall call, Usage usage) {
        call.tokensInput = usage.input();
        call.tokensOutput = usage.output();
        call.tokensReasoning = usage.reasoning();
        call.tokensCacheRead = usage.cacheRead();
        call.tokensCacheWrite = usage.cacheWrite();
        call.cost = PartMapping.cost(usage);
    }
}
