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
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.Owners;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    void sessionOpened(Row.@Nullable Session before, SessionOpened e) {
        if (before != null) {
            throw new RejectedEventException("session " + e.meta().sessionId() + " was already opened");
        }
        Row.Session session = newSession(e);
        rows.add(session);
        touch(session, e.meta());
        session.updateUser = session.userId == null ? Row.PARLEY : session.userId;
    }

    private static Row.Session newSession(SessionOpened e) {
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
        session.channel = ColumnText.clip(e.channel(), 64);
        session.channelId = ColumnText.clipNullable(e.channelId(), 256);
        session.userId = ColumnText.clipNullable(e.user(), 256);
        Actor owner = Owners.of(e);
        session.owner = ColumnText.clip(owner.kind().code() + " " + owner.name(), 600);
        session.agent = e.agent();
        session.title = ColumnText.PLACEHOLDER;
        giveTitle(session, e.title());
        session.slugFrom = session.titleGiven ? session.title : session.key;
        session.status = "active";
        session.createdTs = at(meta);
        return session;
    }

    private static void giveTitle(Row.Session session, @Nullable String title) {
        if (title != null && !title.isBlank()) {
            session.title = ColumnText.clip(title, 300);
            session.titleGiven = true;
        }
    }

    void permissionsChanged(Row.Session session, PermissionsChanged e) {
        session.permissions = PartMapping.permissions(e.rules());
    }

    void sessionChanged(Row.Session session, SessionChanged e) {
        session.status = e.status().name().toLowerCase(Locale.ROOT);
        session.archivedTs = e.status() == SessionStatus.ARCHIVED
                ? session.archivedTs == null ? at(e.meta()) : session.archivedTs
                : null;
        giveTitle(session, e.title());
        if (e.settings() != null) {
            session.settings = e.settings().equals(Settings.NONE) ? null : PartMapping.settings(e.settings());
        }
    }

    void contextReset(Row.Session session, ContextReset e) {
        if (e.reset() != Reset.NEW) {
            addResetEvent(session, e);
        }
        if (e.reset() == Reset.REVERT || e.reset() == Reset.UNREVERT) {
            markHistoryStale(session, e.meta());
        }
        if (e.reset() == Reset.CLEAR || e.reset() == Reset.FORGET) {
            session.summary = null;
            session.summaryUpTo = null;
            replaceTodos(session, e.meta(), List.of());
            markHistoryStale(session, e.meta());
        }
    }

    private void addResetEvent(Row.Session session, ContextReset e) {
        Long number = NUMBERED.contains(e.reset()) && e.label() != null ? Long.valueOf(e.label()) : null;
        String label = number == null ? e.label() : null;
        boolean isUnrevert = e.reset() == Reset.UNREVERT;
        var event = addEvent(
                session, e.meta(), e.reset().name().toLowerCase(Locale.ROOT), label, isUnrevert ? null : number);
        event.since = isUnrevert ? number : null;
    }

    private Row.SessionEvent addEvent(
            Row.Session session, EventMeta meta, String kind, @Nullable String label, @Nullable Long turnSeq) {
        var event = initialise(session, meta, new Row.SessionEvent());
        event.kind = kind;
        event.label = label == null ? null : ColumnText.clean(label);
        event.turnSeq = turnSeq;
        event.createdTs = at(meta);
        return event;
    }

    void summarised(Row.Session session, Summarised e) {
        session.summary = ColumnText.clean(e.summary());
        session.summaryUpTo = e.upTo();
        addEvent(session, e.meta(), "summary", session.summary, e.upTo());
        markHistoryStale(session, e.meta());
        var call = newModelCall(session, e.meta(), e.callId(), 1, 0, "summary");
        setUsage(call, e.usage());
        call.finishReason = code(FinishReason.STOP);
        call.providerId = ColumnText.clipNullable(e.provider(), 64);
        call.modelId = ColumnText.clip(e.model(), 126);
    }

    /** The context of a fork: messages of turns of another session, so they have no turn here. */
    void contextSeeded(Row.Session session, ContextSeeded e) {
        if (e.piece() == 0) {
            session.summary = e.summary() == null ? null : ColumnText.clean(e.summary());
            session.summaryUpTo = e.summary() == null ? null : 0L;
            addEvent(session, e.meta(), "seed", session.summary, session.summaryUpTo);
            replaceTodos(session, e.meta(), List.of());
        }
        int seq = 0;
        for (Entry entry : e.entries()) {
            UUID id = Ids.of("message", session.sessionId, e.forkId(), e.piece(), seq);
            var message = newMessage(
                    session, e.meta(), id, seq++, code(entry.message().role()));
            message.providerId = ColumnText.clipNullable(entry.message().provider(), 64);
            message.modelId = ColumnText.clipNullable(entry.message().model(), 126);
            message.interrupted = entry.message().interrupted();
            putParts(message, 0, entry.message().blocks());
            completeCalls(message);
        }
        markHistoryStale(session, e.meta());
    }

    /** Completes seeded calls, whose results are in the following messages. */
    private void completeCalls(Row.Message message) {
        rows.parts(message).stream()
                .filter(part -> PartMapping.PENDING.equals(part.toolStatus))
                .forEach(part -> part.toolStatus = PartMapping.COMPLETED);
    }

    void replaceTodos(Row.Session session, EventMeta meta, List<Todo> todos) {
        var replacement = new ArrayList<Row.Todo>();
        for (Todo todo : todos) {
            var row = initialise(session, meta, new Row.Todo());
            row.position = replacement.size();
            row.content = ColumnText.clean(todo.content());
            row.activeForm = ColumnText.clean(todo.activeForm());
            row.status = todo.status().code();
            replacement.add(row);
        }
        rows.replace(session, replacement);
    }
}
