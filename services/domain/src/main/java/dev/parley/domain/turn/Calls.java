package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.RetryAfter;
import dev.parley.domain.protocol.Check;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.CallDelayed;
import dev.parley.domain.protocol.TurnEvent.CallSettled;
import dev.parley.domain.protocol.TurnEvent.LeaseRenewed;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.session.PendingRevert;
import dev.parley.domain.session.PendingSummary;
import dev.parley.domain.session.TurnPhase.CallingModel;
import dev.parley.domain.session.TurnPhase.CallingTools;
import dev.parley.domain.session.TurnPhase.CheckingGuardrail;
import dev.parley.domain.session.TurnPhase.Recalling;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Correlation of results with model and tool calls; late results are ignored. */
final class Calls {
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);

    private Calls() {}

    static void decide(TurnDraft draft, CallResult result) {
        if (result instanceof CallResult.Settled settled) {
            recordSettlement(draft, settled);
            return;
        }
        PendingSummary summary = draft.state().summary();
        PendingRevert revert = draft.state().reverting();
        ActiveTurn turn = draft.state().active();
        if (summary != null && summary.callId().equals(result.callId())) {
            Compaction.decide(draft, summary, result);
        } else if (revert != null && revert.callId().equals(result.callId())) {
            Reverts.decide(draft, revert, result);
        } else if (turn != null) { // otherwise late: the turn has ended
            decide(draft, turn, result);
        }
    }

    private static void decide(TurnDraft draft, ActiveTurn turn, CallResult result) {
        UUID callId = result.callId();
        switch (turn.phase()) {
            case CheckingGuardrail(Check check)
            when check.toolCall().callId().equals(callId) -> GuardrailSteps.decide(draft, check, result);
            case Recalling(ToolCall call) when call.callId().equals(callId) -> MemorySteps.decide(draft, result);
            case CallingModel(ModelCall call)
            when call.callId().equals(callId) -> ModelCalls.decide(draft, call, result);
            case CallingTools(List<ToolCall> open) ->
                open.stream()
                        .filter(call -> call.callId().equals(callId))
                        .findFirst()
                        .ifPresent(call -> ToolCalls.decide(draft, call, result));
            case CheckingGuardrail _, Recalling _, CallingModel _ -> {} // late: of an earlier call
        }
    }

    /** A failed result of the same call; empty if nothing waits for this result alone. */
    static Optional<CallResult> failed(CallResult result, String detail) {
        UUID callId = result.callId();
        return switch (result) {
            case CallResult.ModelAnswered _, CallResult.ModelFailed _ ->
                Optional.of(new CallResult.ModelFailed(
                        callId, result.attempt(), ErrorCategory.UNKNOWN, detail, null, List.of()));
            case CallResult.ToolAnswered _ ->
                Optional.of(new CallResult.ToolAnswered(
                        callId, result.attempt(), ToolStatus.ERROR, "error: the result could not be processed"));
            case CallResult.ChildFinished child ->
                Optional.of(
                        new CallResult.ChildFinished(callId, child.attempt(), child.turnId(), TurnState.FAILED, ""));
            case RetryAfter _, CallResult.CallProgress _ -> Optional.empty(); // its lease expires
            case CallResult.Settled _ -> Optional.empty(); // whoever has settled it can do so again
            case CallResult.Embedded _, CallResult.Found _, CallResult.WorkAnswered _ -> Optional.empty();
        };
    }

    /** Informs subscribers of the session, possibly long after the turn of the call has ended. */
    private static void recordSettlement(TurnDraft draft, CallResult.Settled settled) {
        if (draft.state().session() != null && Outcomes.isFirst(draft, Ids.of("settled", settled.callId()))) {
            draft.emit(new CallSettled(
                    draft.meta(null), settled.callId(), settled.outcome(), settled.by(), settled.note()));
        }
    }

    /**
     * Doubles with each failure, with up to 50 % jitter. The jitter is derived from the id, so that a replay makes the
     * same decision.
     */
    static Duration backoff(UUID callId, int failures) {
        long millis = Math.min(FIRST_BACKOFF.toMillis() << Math.min(failures - 1, 10), MAX_BACKOFF.toMillis());
        long spread = Math.floorMod(Ids.of(callId, failures).getLeastSignificantBits(), millis / 2 + 1);
        return Duration.ofMillis(millis / 2 + spread);
    }

    static void delay(TurnDraft draft, RetryAfter retryAfter) {
        Duration wait = retryAfter.delay().isNegative() ? Duration.ZERO : retryAfter.delay();
        draft.emit(new CallDelayed(
                draft.turnMeta(),
                retryAfter.callId(),
                retryAfter.attempt(),
                draft.now().plus(wait),
                retryAfter.reason()));
    }

    /**
     * Whether the deadline of a call has passed while nobody executed it: its worker died, everything was paused, or the
     * clock was set forward. That is not the tool's fault: the call is retried with the time that it had left.
     */
    static boolean isLostPastDeadline(TurnDraft draft, ToolCall call) {
        return TurnMachine.isDue(call.deadline(), draft)
                && call.isLost(draft.now())
                && call.failures() + 1 < TurnMachine.TOOL_ATTEMPTS;
    }

    /** The deadline of the next attempt of a call. */
    static Instant nextDeadline(TurnDraft draft, ToolCall call) {
        return isLostPastDeadline(draft, call) ? draft.now().plus(call.timeLeft(TurnMachine.LEASE)) : call.deadline();
    }

    static void renewLease(TurnDraft draft, UUID callId) {
        draft.emit(new LeaseRenewed(draft.turnMeta(), callId, draft.now().plus(TurnMachine.LEASE)));
    }

    static void publish(
            TurnDraft draft, TurnDelta.Kind kind, String text, @Nullable String tool, @Nullable String toolCallId) {
        ActiveTurn turn = draft.turn();
        draft.effect(new TurnEffect.PublishDelta(
                new TurnDelta(turn.turnId(), kind, turn.step(), 0, text, tool, toolCallId, null)));
    }
}
