package dev.parley.domain.turn;

import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent.ContextReset;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.PendingRevert;
import dev.parley.domain.session.PendingSummary;
import dev.parley.domain.session.Seeding;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnPhase;
import dev.parley.domain.session.TurnPhase.CallingModel;
import dev.parley.domain.session.TurnPhase.CallingTools;
import dev.parley.domain.session.TurnPhase.CheckingGuardrail;
import dev.parley.domain.session.TurnPhase.Recalling;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ends what waits for an input on which the machine failed, with as little of the machine as possible. */
final class Faults {
    private Faults() {}

    /** @param callId null for a timer */
    static void end(TurnDraft draft, @Nullable UUID callId, String detail) {
        SessionState state = draft.state();
        PendingSummary summary = state.summary();
        PendingRevert revert = state.reverting();
        Seeding seeding = state.seeding();
        ActiveTurn turn = state.active();
        if (summary != null && isMeant(draft, callId, summary.callId(), summary.due())) {
            Compaction.fail(draft, summary, ErrorCategory.UNKNOWN, detail);
        }
        if (revert != null && isMeant(draft, callId, revert.callId(), revert.due())) {
            Reverts.complete(draft, revert, ToolStatus.ERROR, "error: the result could not be processed");
        }
        if (seeding != null && callId == null && TurnMachine.isDue(seeding.until(), draft)) {
            draft.emit(new ContextReset(draft.meta(null), Reset.CLEAR, null));
        }
        if (callId == null) {
            Reminders.fault(draft, detail);
            Handoffs.fault(draft, detail);
        }
        if (turn != null) {
            boolean isMeant = callId == null
                    ? TurnMachine.due(turn).anyMatch(due -> TurnMachine.isDue(due, draft))
                    : awaits(turn.phase(), callId);
            if (isMeant) {
                TurnLifecycle.fail(draft, ErrorCategory.UNKNOWN, detail);
            }
        } else if (callId == null) {
            draft.state()
                    .nextQueued()
                    .ifPresent(next -> TurnLifecycle.cancelQueued(draft, next, "the turn could not be started"));
        }
    }

    private static boolean isMeant(TurnDraft draft, @Nullable UUID callId, UUID pending, Instant due) {
        return callId == null ? TurnMachine.isDue(due, draft) : callId.equals(pending);
    }

    private static boolean awaits(TurnPhase phase, UUID callId) {
        return switch (phase) {
            case CheckingGuardrail checking ->
                checking.check().toolCall().callId().equals(callId);
            case Recalling recalling -> recalling.call().callId().equals(callId);
            case CallingModel calling -> calling.call().callId().equals(callId);
            case CallingTools calling ->
                calling.open().stream().map(ToolCall::callId).anyMatch(callId::equals);
        };
    }
}
