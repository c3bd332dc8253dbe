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
final class EventFold {
    private final SessionBatch rows;
    private final SessionFold sessions;
    private final TurnFold turns;
    private final ModelCallFold models;
    private final ToolCallFold tools;
    private final FeedbackFold feedback;
    private final HandoffFold handoffs;

    EventFold(SessionBatch rows) {
        this.rows = rows;
        sessions = new SessionFold(rows);
        turns = new TurnFold(rows);
        models = new ModelCallFold(rows);
        tools = new ToolCallFold(rows);
        feedback = new FeedbackFold(rows);
        handoffs = new HandoffFold(rows);
    }

    /** Number of content items of an unknown kind. */
    int unknownItems() {
        return sessions.unknownItems() + turns.unknownItems() + models.unknownItems() + tools.unknownItems();
    }

    /**
     * Folds one event into the rows.
     *
     * @return false for a duplicate
     * @throws RejectedEventException where required rows are missing; nothing is changed then
     */
    boolean apply(TurnEvent event) {
        EventMeta meta = event.meta();
        Row.Session session = rows.session(meta.host(), meta.sessionId());
        if (session != null && meta.seq() <= session.version) {
            return false;
        }
        if (event instanceof SessionOpened opened) {
            sessions.sessionOpened(session, opened);
        } else if (session == null) {
            throw new RejectedEventException(
                    "session " + meta.sessionId() + " is not known: the event that opened it is missing");
        } else {
            fold(session, event);
            sessions.touch(session, meta);
            NamedFiles.of(event).forEach(sha256 -> sessions.addFile(session, sha256, meta));
        }
        return true;
    }

    private void fold(Row.Session session, TurnEvent event) {
        switch (event) {
            case SessionOpened _ -> throw new IllegalStateException("opened above");
            case SessionErased _ -> throw new IllegalStateException("rows are removed, not folded");
            case SessionChanged e -> sessions.sessionChanged(session, e);
            case TurnAccepted e -> turns.turnAccepted(session, e);
            case TurnExtended e -> turns.turnExtended(e);
            case TurnRevised e -> turns.turnRevised(e);
            case InputChecked e -> turns.inputChecked(e);
            case GuardrailApplied e -> turns.guardrailApplied(e);
            case TurnStarted e -> turns.turnStarted(session, e);
            case MessageAppended e -> turns.messageAppended(session, e);
            case ModelRequested e -> models.modelRequested(session, e);
            case ModelCalled e -> models.modelCalled(session, e);
            case Transcribed e -> models.transcribed(session, e);
            case ModelCallFailed e -> models.modelCallFailed(e);
            case ToolRequested e -> tools.toolRequested(e);
            case PermissionDecided e -> tools.permissionDecided(e);
            case ApprovalRequested e -> tools.approvalRequested(e);
            case ApprovalDecided e -> tools.approvalDecided(e);
            case PermissionsChanged e -> sessions.permissionsChanged(session, e);
            case ToolCalled e -> tools.toolCalled(e);
            case TurnCompleted e -> turns.turnCompleted(session, e);
            case TurnFailed e -> turns.turnFailed(session, e);
            case TurnCancelled e -> turns.turnCancelled(session, e);
            case ContextReset e -> sessions.contextReset(session, e);
            case Summarised e -> sessions.summarised(session, e);
            case ContextSeeded e -> sessions.contextSeeded(session, e);
            case HandoffChanged e -> handoffs.handoffChanged(session, e);
            case FeedbackGiven e -> feedback.feedbackGiven(e);
            case TodosChanged e -> sessions.replaceTodos(session, e.meta(), e.todos());
            // No rows: their effects show in later events, or in the tables of other services.
            case TurnSteered _,
                    MessageOverheard _,
                    CallSettled _,
                    DisclosureChanged _,
                    CallDelayed _,
                    MessageSent _,
                    ReminderChanged _,
                    QuietHoursChanged _,
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
