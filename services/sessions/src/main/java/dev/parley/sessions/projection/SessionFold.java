package dev.parley.sessions.projection;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Todo;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent.*;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Folds events of sessions as a whole: names, context, todos. */
final class SessionFold extends RowFold {
    /** Resets whose label is a number. */
    private static final Set<Reset> NUMBERED = Set.of(Reset.UNDO, Reset.REVERT, Reset.UNREVERT);

    SessionFold(SessionBatch rows) {
        super(rows);
    }

    void open(Row.@Nullable Session before, SessionOpened e) {
        if (before != null) {
            throw new Rejected("session " + e.meta().sessionId() + " was already opened");
        }
        EventMeta meta = e.meta();
        var session = new Row.Session();
        session.hostId = meta.host();
        session.projectId = meta.key().projectId();
        session.sessionId = meta.sessionId();
        session.key = meta.key().session();
        session.epoch = meta.epoch();
        session.parentSessionId = e.parentSessionId();
        session.forkedFromTurn = e.forkedFrom();
        session.depth = e.depth();
        session.channel = Texts.clip(e.channel(), 64);
        session.channelId = Texts.clipped(e.channelId(), 256);
        session.userId = Texts.clipped(e.user(), 256);
        session.agent = e.agent();
        session.titleGiven = e.title() != null && !e.title().isBlank();
        session.title = session.titleGiven ? Texts.clip(Objects.requireNonNull(e.title()), 300) : Texts.PLACEHOLDER;
        session.slugFrom = session.titleGiven ? session.title : session.key;
        session.status = "active";
        session.createdTs = at(meta);
        rows.add(session);
        touch(session, meta);
        session.updateUser = session.userId == null ? Row.PARLEY : session.userId;
    }

    void changed(Row.Session session, SessionChanged e) {
        session.status = e.status().name().toLowerCase(Locale.ROOT);
        session.archivedTs = e.status() == SessionStatus.ARCHIVED
                ? session.archivedTs == null ? at(e.meta()) : session.archivedTs
                : null;
        if (e.title() != null && !e.title().isBlank()) {
            session.title = Texts.clip(e.title(), 300);
            session.titleGiven = true;
        }
        if (e.settings() != null) {
            session.settings = e.settings().equals(Settings.NONE) ? null : Parts.settings(e.settings());
        }
    }

    void reset(Row.Session session, ContextReset e) {
        if (e.reset() != Reset.NEW) {
            Long number = NUMBERED.contains(e.reset()) && e.label() != null ? Long.valueOf(e.label()) : null;
            boolean back = e.reset() == Reset.UNREVERT;
            var event = event(
                    session,
                    e.meta(),
                    e.reset().name().toLowerCase(Locale.ROOT),
                    number == null ? e.label() : null,
                    back ? null : number);
            event.since = back ? number : null;
        }
        if (e.reset() == Reset.REVERT || e.reset() == Reset.UNREVERT) {
            history(session, e.meta());
        }
        if (e.reset() == Reset.CLEAR || e.reset() == Reset.FORGET) {
            session.summary = null;
            session.summaryUpTo = null;
            todos(session, e.meta(), List.of());
            history(session, e.meta());
        }
    }

    private Row.SessionEvent event(
            Row.Session session, EventMeta meta, String kind, @Nullable String label, @Nullable Long turnSeq) {
        var event = within(session, meta, new Row.SessionEvent());
        event.kind = kind;
        event.label = label == null ? null : Texts.clean(label);
        event.turnSeq = turnSeq;
        event.createdTs = at(meta);
        return event;
    }

    void summarised(Row.Session session, Summarised e) {
        session.summary = Texts.clean(e.summary());
        session.summaryUpTo = e.upTo();
        event(session, e.meta(), "summary", session.summary, e.upTo());
        history(session, e.meta());
        var call = modelCall(session, e.meta(), e.callId(), 1, 0, "summary");
        used(call, e.usage());
        call.finishReason = code(FinishReason.STOP);
        call.modelId = Texts.clip(e.model(), 126);
    }

    /** The context of a fork: messages of turns of another session, so they have no turn here. */
    void seeded(Row.Session session, ContextSeeded e) {
        if (e.piece() == 0) {
            session.summary = e.summary() == null ? null : Texts.clean(e.summary());
            session.summaryUpTo = e.summary() == null ? null : 0L;
            event(session, e.meta(), "seed", session.summary, session.summaryUpTo);
            todos(session, e.meta(), List.of());
        }
        int seq = 0;
        for (Entry entry : e.entries()) {
            UUID id = Ids.of("message", session.sessionId, e.forkId(), e.piece(), seq);
            var message =
                    message(session, e.meta(), id, seq++, code(entry.message().role()));
            message.providerId = Texts.clipped(entry.message().provider(), 64);
            message.modelId = Texts.clipped(entry.message().model(), 126);
            message.interrupted = entry.message().interrupted();
            parts(message, 0, entry.message().blocks());
            completeCalls(message);
        }
        history(session, e.meta());
    }

    /** Completes seeded calls, whose results are in the following messages. */
    private void completeCalls(Row.Message message) {
        for (int idx = 0; idx < message.partCount; idx++) {
            Row.Part part = rows.part(message.hostId, Parts.id(message.messageId, idx));
            if (part != null && Parts.PENDING.equals(part.toolStatus)) {
                part.toolStatus = Parts.COMPLETED;
            }
        }
    }

    void todos(Row.Session session, EventMeta meta, List<Todo> todos) {
        var list = new ArrayList<Row.Todo>();
        for (Todo todo : todos) {
            var row = within(session, meta, new Row.Todo());
            row.position = list.size();
            row.content = Texts.clean(todo.content());
            row.activeForm = Texts.clean(todo.activeForm());
            row.status = todo.status().code();
            list.add(row);
        }
        rows.replace(session, list);
    }
}
