package dev.parley.sessions.projection;

import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.sessions.NamedFiles;

/**
 * Folds events into rows. It is pure: no I/O, no clock, no input but rows and event, so a replay yields equal rows
 * however the events are batched.
 *
 * <p>Each event updates the row of its session, whose version is the sequence number of the last folded event: an event
 * that is not newer is a duplicate and is ignored.
 */
final class Fold {
    private final SessionBatch rows;
    private final SessionFold sessions;
    private final TurnFold turns;
    private final ModelCallFold models;
    private final ToolCallFold tools;

    Fold(SessionBatch rows) {
        this.rows = rows;
        sessions = new SessionFold(rows);
        turns = new TurnFold(rows);
        models = new ModelCallFold(rows);
        tools = new ToolCallFold(rows);
    }

    /** Number of content items of an unknown kind. */
    int unknownItems() {
        return sessions.unknownItems() + turns.unknownItems() + models.unknownItems() + tools.unknownItems();
    }

    /**
     * Folds one event into the rows.
     *
     * @return false for a duplicate
     * @throws Rejected where required rows are missing; nothing is changed then
     */
    boolean apply(TurnEvent event) {
        EventMeta meta = event.meta();
        Row.Session session = rows.session(meta.host(), meta.sessionId());
        if (session != null && meta.seq() <= session.version) {
            return false;
        }
        if (event instanceof SessionOpened opened) {
            sessions.open(session, opened);
        } else if (session == null) {
            throw new Rejected("session " + meta.sessionId() + " is not known: the event that opened it is missing");
        } else {
            applyTo(session, event);
            sessions.touch(session, meta);
            NamedFiles.of(event).forEach(sha256 -> sessions.named(session, sha256, meta));
        }
        return true;
    }

    private void applyTo(Row.Session session, TurnEvent event) {
        switch (event) {
            case SessionOpened _ -> throw new IllegalStateException("opened above");
            case SessionErased _ -> throw new IllegalStateException("rows are removed, not folded");
            case SessionChanged e -> sessions.changed(session, e);
            case TurnAccepted e -> turns.accepted(session, e);
            case TurnExtended e -> turns.extended(e);
            case TurnRevised e -> turns.reworded(e.meta(), e.content());
            case InputChecked e -> turns.checked(e);
            case GuardrailApplied e -> turns.guarded(e);
            case TurnStarted e -> turns.started(session, e);
            case MessageAppended e -> turns.appended(session, e);
            case ModelRequested e -> models.requested(session, e);
            case ModelCalled e -> models.answered(session, e);
            case Transcribed e -> models.transcribed(session, e);
            case ModelCallFailed e -> models.callFailed(e);
            case ToolRequested e -> tools.toolRequested(e);
            case PermissionDecided e -> tools.permissionDecided(e);
            case ApprovalRequested e -> tools.approvalRequested(e);
            case ApprovalDecided e -> tools.approvalDecided(e);
            case PermissionsChanged e -> session.permissions = Parts.permissions(e.rules());
            case ToolCalled e -> tools.toolCalled(e);
            case TurnCompleted e -> turns.completed(session, e);
            case TurnFailed e -> turns.failed(session, e);
            case TurnCancelled e -> turns.cancelled(session, e);
            case ContextReset e -> sessions.reset(session, e);
            case Summarised e -> sessions.summarised(session, e);
            case ContextSeeded e -> sessions.seeded(session, e);
            case TodosChanged e -> sessions.todos(session, e.meta(), e.todos());
            // What these say shows in the events that follow them, or in the tables of other services.
            case TurnSteered _,
                    CallSettled _,
                    DisclosureChanged _,
                    CallDelayed _,
                    MessageSent _,
                    CancelRequested _,
                    FilesRevertRequested _,
                    FilesReverted _,
                    SummaryRequested _,
                    SummaryFailed _,
                    WaiterAdded _,
                    LeaseRenewed _,
                    GuardrailAsked _,
                    RecollectionChanged _,
                    TurnRemembered _ -> {}
        }
    }
}
