package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.ListCalls;
import dev.parley.domain.protocol.TurnCommand.ListReminders;
import dev.parley.domain.protocol.TurnCommand.ListTodos;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.WaiterAdded;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.SessionState;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outcome of each command: stored, sent to waiting instances, and repeated for duplicates. */
final class Outcomes {
    private Outcomes() {}

    static void acceptAsDone(TurnDraft draft, TurnCommand command, @Nullable UUID turnId) {
        accept(draft, command, turnId, null, Disposition.DONE, 0);
    }

    static void accept(
            TurnDraft draft,
            TurnCommand command,
            @Nullable UUID turnId,
            @Nullable Long turnSeq,
            Disposition disposition,
            int position) {
        SessionState state = draft.state();
        UUID commandId = command.meta().commandId();
        var outcome = new Outcome.Accepted(
                state.key(), commandId, state.open().sessionId(), turnId, turnSeq, disposition, position);
        draft.effect(new TurnEffect.StoreOutcome(commandId, outcome));
        send(draft, command, outcome);
    }

    /** Whether no outcome is stored under this id yet; stores one if so. */
    static boolean isFirst(TurnDraft draft, UUID id) {
        if (draft.outcome(id).isPresent()) {
            return false;
        }
        storeAccepted(draft, id);
        return true;
    }

    static void storeAccepted(TurnDraft draft, UUID id) {
        SessionState state = draft.state();
        var outcome = new Outcome.Accepted(state.key(), id, state.open().sessionId(), null, null, Disposition.DONE, 0);
        draft.effect(new TurnEffect.StoreOutcome(id, outcome));
    }

    static void refuse(TurnDraft draft, TurnCommand command, Refusal refusal) {
        draft.effect(new TurnEffect.StoreOutcome(
                command.meta().commandId(), outcome(draft.state().key(), command, refusal)));
        refuseForNow(draft, command, refusal);
    }

    /** Refuses the command without storing the outcome, so that a duplicate is decided again. */
    static void refuseForNow(TurnDraft draft, TurnCommand command, Refusal refusal) {
        refusal(draft.state().key(), command, refusal).forEach(draft::effect);
    }

    /** Tells those who wait for a command that it is refused: its sender, and the call that a delegated turn answers. */
    static List<TurnEffect> refusal(RecordKey key, TurnCommand command, Refusal refusal) {
        var effects = new ArrayList<TurnEffect>();
        Integer partition = command.meta().outcomePartition();
        if (partition != null) {
            effects.add(new TurnEffect.SendOutcome(partition, outcome(key, command, refusal)));
        }
        if (command instanceof SubmitTurn submit && submit.parent() != null) {
            effects.add(new TurnEffect.SendResult(
                    submit.parent().key(),
                    new CallResult.ChildFinished(
                            submit.parent().callId(),
                            1,
                            command.meta().commandId(),
                            TurnState.FAILED,
                            refusal.message())));
        }
        return effects;
    }

    private static Outcome.Refused outcome(RecordKey key, TurnCommand command, Refusal refusal) {
        return new Outcome.Refused(key, command.meta().commandId(), refusal.code(), refusal.message());
    }

    static void refuse(TurnDraft draft, TurnCommand command, String code, String message) {
        refuse(draft, command, new Refusal(code, message));
    }

    /** Refuses a command for another user's session. Not stored: a command of the owner may have the same id. */
    static void refuseAsUnknown(TurnDraft draft, TurnCommand command) {
        send(draft, command, outcome(draft.state().key(), command, SessionOwnership.refusal(draft, command)));
    }

    /** Refuses a command for a session that is hidden from its sender. Stored, unless it is limited to their own. */
    static void refuseHidden(TurnDraft draft, TurnCommand command) {
        Refusal refusal = SessionOwnership.refusal(draft, command);
        if (command.meta().ownOnly()) {
            refuseForNow(draft, command, refusal); // a command of the owner may have the same id
        } else {
            refuse(draft, command, refusal);
        }
    }

    /** Answers with the todo list. Not stored: a duplicate gets the current list. */
    static void listTodos(TurnDraft draft, ListTodos command) {
        SessionState state = draft.state();
        send(draft, command, new Outcome.TodosListed(state.key(), command.meta().commandId(), state.todos()));
    }

    /** Answers with the reminders. Not stored: a duplicate gets the current ones. */
    static void listReminders(TurnDraft draft, ListReminders command) {
        SessionState state = draft.state();
        UUID id = command.meta().commandId();
        String zone =
                Reminders.zone(draft, command.meta().host(), command.meta().user());
        send(draft, command, new Outcome.RemindersListed(state.key(), id, state.nextReminders(), state.quiet(), zone));
    }

    /**
     * Answers with the calls that wait for the caller or for an approval. Not stored: a duplicate gets the current
     * ones.
     */
    static void listCalls(TurnDraft draft, ListCalls command, List<CallerCall> calls, List<PendingApproval> approvals) {
        UUID id = command.meta().commandId();
        ActiveTurn turn = draft.state().active();
        Usage usage = turn == null ? null : turn.usage();
        send(draft, command, new Outcome.CallsListed(draft.state().key(), id, calls, approvals, usage));
    }

    /** Sends an outcome to the instance that waits for the command, if any. */
    private static void send(TurnDraft draft, TurnCommand command, Outcome outcome) {
        Integer partition = command.meta().outcomePartition();
        if (partition != null) {
            draft.effect(new TurnEffect.SendOutcome(partition, outcome));
        }
    }

    /** Repeats the outcome of the first delivery. The sender of a duplicate of an open turn also gets its end. */
    static void repeat(TurnDraft draft, TurnCommand command, Outcome first) {
        Integer partition = command.meta().outcomePartition();
        if (partition == null) {
            return;
        }
        if (command instanceof ForkSession fork && first instanceof Outcome.Accepted accepted) {
            Forks.requestOutcome(draft, fork, accepted);
            return;
        }
        draft.effect(new TurnEffect.SendOutcome(partition, first));
        if (command instanceof SubmitTurn && first instanceof Outcome.Accepted accepted && accepted.turnId() != null) {
            awaitEnd(draft, accepted.turnId(), partition);
        }
    }

    private static void awaitEnd(TurnDraft draft, UUID turnId, int partition) {
        var turn = draft.state().turn(turnId);
        if (turn.isEmpty()) {
            draft.outcome(turnId).ifPresent(end -> draft.effect(new TurnEffect.SendOutcome(partition, end)));
        } else if (!turn.get().waiters().contains(partition)) {
            draft.emit(new WaiterAdded(draft.meta(turnId), turnId, partition));
        }
    }
}
