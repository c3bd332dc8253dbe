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

/** Base of all folds: finds, creates and touches the rows of a batch. */
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

    Row.Turn turn(EventMeta meta) {
        Row.Turn turn = meta.turnId() == null ? null : rows.turn(meta.host(), meta.turnId());
        if (turn == null) {
            throw new Rejected("turn " + meta.turnId() + " is not known: the event that accepted it is missing");
        }
        if (turn.completedTs != null) {
            throw new Rejected("turn " + turn.turnId + " has already ended");
        }
        return turn;
    }

    Row.Message message(Row.Turn turn, int index) {
        Row.Message message = rows.messages(turn).get(index);
        if (message == null) {
            throw new Rejected("message " + index + " of turn " + turn.turnId + " is missing");
        }
        return message;
    }

    Row.Part part(Row.Message message, int idx) {
        Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
        if (part == null || part.toolStatus == null) {
            throw new Rejected("part " + idx + " of message " + message.messageId + " is not an open tool call");
        }
        return part;
    }

    Row.Message message(Row.Session session, Row.Turn turn, EventMeta meta, int index, Role role) {
        return message(session, turn, meta, index, code(role));
    }

    Row.Message message(Row.Session session, Row.Turn turn, EventMeta meta, int index, String role) {
        var message = message(session, meta, Ids.message(turn.turnId, index), index, role);
        add(turn, message);
        return message;
    }

    void add(Row.Turn turn, Row.Message message) {
        message.turnId = turn.turnId;
        turn.messageCount = Math.max(turn.messageCount, message.seq + 1);
        rows.add(message);
    }

    Row.Message message(Row.Session session, EventMeta meta, UUID id, int seq, String role) {
        var message = within(session, meta, new Row.Message());
        message.messageId = id;
        message.seq = seq;
        message.position = meta.seq();
        message.role = role;
        message.createdTs = at(meta);
        message.completedTs = message.createdTs;
        session.messageCount += role.equals(SYSTEM) ? 0 : 1; // nobody said it
        return message;
    }

    void parts(Row.Message message, int from, List<Block> blocks) {
        int idx = from;
        for (Block block : blocks) {
            made(message, Parts.of(message, idx++, block));
            unknownItems += Parts.isUnknown(block) ? 1 : 0;
        }
    }

    void made(Row.Message message, Row.Part part) {
        part.updateUser = message.updateUser;
        message.partCount = part.idx + 1;
        rows.add(part);
        rows.changed(part);
    }

    /**
     * A named file stays with the session even where its message is replaced, so that erasing the session erases it.
     */
    void named(Row.Session session, String sha256, EventMeta meta) {
        var file = within(session, meta, new Row.SessionFile());
        file.sha256 = Texts.clip(sha256, 64);
        rows.add(file);
    }

    void history(Row.Session session, EventMeta meta) {
        var history = within(session, meta, new Row.History());
        history.bankId = session.bankId;
        rows.add(history);
    }

    <R extends Row> R within(Row parent, EventMeta meta, R row) {
        row.hostId = parent.hostId;
        row.projectId = parent.projectId;
        row.sessionId = parent.sessionId;
        touch(row, meta);
        return row;
    }

    void touch(Row row, EventMeta meta) {
        row.version = meta.seq();
        row.updateTs = at(meta);
        rows.changed(row);
    }

    /** Postgres keeps microseconds. */
    static Instant at(EventMeta meta) {
        return meta.at().truncatedTo(ChronoUnit.MICROS);
    }

    static String code(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    static String code(FinishReason finish) {
        return finish.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The message that the model is about to write; messages appended meanwhile end the turn without an answer. */
    Optional<Row.Message> inFlight(Row.Turn turn) {
        return rows.messages(turn).values().stream()
                .filter(message -> !message.answered)
                .findFirst();
    }

    Row.ModelCall modelCall(Row parent, EventMeta meta, UUID callId, int attempt, int step, String purpose) {
        var call = within(parent, meta, new Row.ModelCall());
        call.callId = callId;
        call.attempt = attempt;
        call.step = step;
        call.purpose = purpose;
        call.completedTs = at(meta);
        return call;
    }

    static void used(Row.ModelCall call, Usage usage) {
        call.tokensInput = usage.input();
        call.tokensOutput = usage.output();
        call.tokensReasoning = usage.reasoning();
        call.tokensCacheRead = usage.cacheRead();
        call.tokensCacheWrite = usage.cacheWrite();
        call.cost = Parts.cost(usage);
    }
}
