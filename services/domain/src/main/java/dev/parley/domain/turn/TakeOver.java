package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.SessionChanged;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.Session;

/**
 * The owner of a space of keys meets a session of somebody else there, and opens the next one: nothing of the old one
 * carries over, neither its user and readers nor its rules, settings, agent, context and memory.
 */
final class TakeOver {
    private static final String REASON = "the key belongs to another owner";

    private TakeOver() {}

    static void open(TurnDraft draft, TurnCommand command) {
        if (!(command instanceof SubmitTurn submit)) {
            throw new IllegalArgumentException("only a turn takes a session over");
        }
        Session former = draft.state().open();
        Handoffs.end(draft, Handoff.Change.ENDED, null, REASON);
        TurnLifecycle.cancelNow(draft, REASON);
        TurnLifecycle.cancelAllQueued(draft, REASON);
        Compaction.cancel(draft);
        draft.emit(new SessionChanged(draft.meta(null), SessionStatus.ARCHIVED, null, null));
        String agent = submit.agent() == null ? Agent.DEFAULT : submit.agent();
        Mailbox.open(draft, submit, draft.agent(agent, "").name());
        report(draft, submit, former);
    }

    private static void report(TurnDraft draft, SubmitTurn submit, Session former) {
        RecordKey key = draft.state().key();
        Session session = draft.state().open();
        Actor owner = session.ownedBy(key);
        Actor formerOwner = former.ownedBy(key);
        var entry = new AuditEntry(
                Ids.of("taken over", session.sessionId()),
                session.host(),
                key.projectId(),
                "session",
                "take-over",
                former.sessionId().toString(),
                former.user(),
                null,
                submit.meta().commandId().toString(),
                draft.now(),
                true,
                "the %s '%s' refused it and opened %s"
                        .formatted(owner.kind().code(), owner.name(), session.sessionId()));
        draft.effect(new TurnEffect.ReportTakeOver(entry, owner, formerOwner));
    }
}
