package dev.parley.domain.turn;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.Outcome.Disposition;
import dev.parley.domain.protocol.PendingApproval;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.ForkSession;
import dev.parley.domain.protocol.TurnCommand.ListCalls;
import dev.parley.domain.protocol.TurnCommand.ListTodos;
import dev.parley.domain.protocol.TurnCommand.SubmitTurn;
import dev.parley.domain.protocol.TurnEvent.WaiterAdded;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.session.SessionState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The outcome of each command: stored, sent to waiting instances, and repeated for duplicates. */
final class Outcomes {
    private Outcomes() {}

    static void done(Draft draft, TurnCommand command, @Nullable UUID turnId) {
        accepted(draft, command, turnId, null, Disposition.DONE, 0);
    }

    static void accepted(
            Draft draft,
            TurnCommand command,
            @Nullable UUID turnId,
            @Nullable Long turnSeq,
            Disposition disposition,
            int position) {
        SessionState state = draft.state();
        UUID commandId = command.meta().commandId();
        var outcome = new Outcome.Accepted(
                state.key(), commandId, state.open().sessionId(), turnId, turnSeq, disposition, position);
        draft.effect(new Effect.StoreOutcome(commandId, outcome));
        tell(draft, command, outcome);
    }

    /** Remembers that another session has the command now: that one has its outcome, and tells it. */
    static void passedOn(Draft draft, ForkSession command) {
        remember(draft, command.meta().commandId());
    }

    /** Whether something that is told under this id is told for the first time; it is remembered. */
    static boolean isFirst(Draft draft, UUID id) {
        if (draft.surroundings().seen().apply(id).isPresent()) {
            return false;
        }
        remember(draft, id);
        return true;
    }

    static void remember(Draft draft, UUID id) {
        SessionState state = draft.state();
        var outcome = new Outcome.Accepted(state.key(), id, state.open().sessionId(), null, null, Disposition.DONE, 0);
        draft.effect(new Effect.StoreOutcome(id, outcome));
    }

    static void refused(Draft draft, TurnCommand command, Refusal refusal) {
        draft.effect(new Effect.StoreOutcome(command.meta().commandId(), outcome(draft, command, refusal)));
        notNow(draft, command, refusal);
    }

    /** Refuses it this time; it may be given again. */
    static void notNow(Draft draft, TurnCommand command, Refusal refusal) {
        tell(draft, command, outcome(draft, command, refusal));
        if (command instanceof SubmitTurn submit && submit.parent() != null) {
            draft.effect(new Effect.SendResult(
                    submit.parent().key(),
                    new CallResult.ChildFinished(
                            submit.parent().callId(),
                            1,
                            command.meta().commandId(),
                            TurnState.FAILED,
                            refusal.message())));
        }
    }

    private static Outcome.Refused outcome(Draft draft, TurnCommand command, Refusal refusal) {
        return new Outcome.Refused(
                draft.state().key(), command.meta().commandId(), refusal.code(), refusal.message());
    }

    static void refused(Draft draft, TurnCommand command, String code, String message) {
        refused(draft, command, new Refusal(code, message));
    }

    /** Refuses what is about somebody else's session. Not remembered: the owner's command may have the same id. */
    static void hidden(Draft draft, TurnCommand command) {
        tell(draft, command, outcome(draft, command, Refusal.UNKNOWN_SESSION));
    }

    /** Says what the agent does. Not remembered: it is what it is when somebody asks. */
    static void todos(Draft draft, ListTodos command) {
        SessionState state = draft.state();
        tell(draft, command, new Outcome.TodosListed(state.key(), command.meta().commandId(), state.todos()));
    }

    /** Says which calls wait for the caller or for a person. Not remembered: they are those that there are when somebody asks. */
    static void calls(Draft draft, ListCalls command, List<CallerCall> calls, List<PendingApproval> approvals) {
        UUID id = command.meta().commandId();
        tell(draft, command, new Outcome.CallsListed(draft.state().key(), id, calls, approvals));
    }

    /** Sends an outcome to the instance that waits for the command, if one does. */
    private static void tell(Draft draft, TurnCommand command, Outcome outcome) {
        Integer partition = command.meta().outcomePartition();
        if (partition != null) {
            draft.effect(new Effect.SendOutcome(partition, outcome));
        }
    }

    /** Tells the outcome of the first delivery; whoever asks again for a turn that goes on waits for its end too. */
    static void repeat(Draft draft, TurnCommand command, Outcome before) {
        Integer partition = command.meta().outcomePartition();
        if (partition == null) {
            return;
        }
        if (command instanceof ForkSession fork && before instanceof Outcome.Accepted accepted) {
            Forks.askAgain(draft, fork, accepted);
            return;
        }
        draft.effect(new Effect.SendOutcome(partition, before));
        if (command instanceof SubmitTurn && before instanceof Outcome.Accepted accepted && accepted.turnId() != null) {
            awaitEnd(draft, accepted.turnId(), partition);
        }
    }

    private static void awaitEnd(Draft draft, UUID turnId, int partition) {
        var turn = draft.state().turn(turnId);
        if (turn.isEmpty()) {
            draft.surroundings().seen().apply(turnId).ifPresent(end -> draft.effect(new Effect.SendOutcome(partition, end)));
        } else if (!turn.get().waiters().contains(partition)) {
            draft.emit(new WaiterAdded(draft.meta(turnId), turnId, partition));
        }
    }
}
