package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Check;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.session.PendingRevert;
import dev.parley.domain.session.PendingSummary;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnPhase;
import dev.parley.domain.session.TurnPhase.CallingModel;
import dev.parley.domain.session.TurnPhase.CallingTools;
import dev.parley.domain.session.TurnPhase.CheckingGuardrail;
import dev.parley.domain.session.TurnPhase.Recalling;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The turn machine: decides events and effects from commands, results and timer ticks of a session.
 *
 * <pre>
 *   SubmitTurn ──► QUEUED
 *                    │ no active turn, no files being reverted
 *                    ▼
 *        transcribing ──► checking guardrails ──► recalling ──► RUNNING_MODEL ──► checking guardrails ──► COMPLETED
 *                    ▲                                                                     │
 *                    │ next step: each call has its one result                             ▼ tool calls
 *                    └─────────────── WAITING_TOOL | WAITING_CHILD ◄────────────── WAITING_APPROVAL
 *
 *   QUEUED, while a person answers in the agent's place ──► transcribing ──► checking guardrails ──► COMPLETED with
 *                                                           that person's answer, as soon as there is one
 *   any active state ──► FAILED                     on error or deadline
 *   any active state ──► cancelling ──► CANCELLED   cancelling only during a model call, at most {@link #CANCEL_GRACE}
 *   no active turn   ──► reverting  ──► no active turn
 * </pre>
 *
 * <ul>
 *   <li>Checking guardrails: inputs, and answers of the model, are published only after all guardrails have passed them.
 *       While a guardrail's tool runs, the turn's state is WAITING_TOOL.
 *   <li>Recalling: recalled memories are injected into the prompt; without an answer within
 *       {@link MemorySteps#RECALL_TIMEOUT} the turn continues without. The turn's state is RUNNING_MODEL.
 *   <li>Cancelling: the worker of the model call may return its partial answer.
 *   <li>Reverting: no turn starts until a tool call has restored the files of reverted turns.
 * </ul>
 *
 * Model and tool calls are leased: if the worker does not renew the lease, the call is retried with the next attempt.
 * Results are accepted once, by call id; late and duplicate results, and those for ended turns, change nothing.
 */
public final class TurnMachine {
    /** Lease of a worker on a call; the call is retried if the lease is not renewed in time. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    /** Time limit for the partial answer of a cancelled model call. */
    static final Duration CANCEL_GRACE = Duration.ofMillis(1_500);

    /** Time for which a collecting turn waits for further messages. */
    static final Duration DEBOUNCE = Duration.ofMillis(500);

    /** Time for which a fork waits for its next piece. */
    static final Duration SEED_PIECE_TIMEOUT = Duration.ofMinutes(5);

    /** Rounds of identical calls in a row after which the turn may no longer use tools. */
    static final int MAX_IDENTICAL_CALL_ROUNDS = 3;

    /** Default time to answer an approval. */
    static final Duration APPROVAL_TIMEOUT = Duration.ofHours(1);

    /** Time to answer an approval of a turn without a user present, whose approvals appear on worklists only. */
    static final Duration WORKLIST_APPROVAL_TIMEOUT = Duration.ofDays(1);

    /** Maximum depth of delegation. */
    static final int MAX_DEPTH = 3;

    /** Maximum tool calls of one answer that are executed. */
    static final int MAX_PARALLEL = 32;

    /** Maximum attempts of a tool call whose lease expires. */
    static final int TOOL_ATTEMPTS = 5;

    private TurnMachine() {}

    /** Decides the events and effects of an input. Pure: state and input are not modified. */
    public static TurnDecision decide(SessionState state, TurnInput input, DecisionContext decisionContext) {
        var draft = new TurnDraft(state, decisionContext);
        if (state.isArriving() && !(input instanceof TurnCommand)) {
            return draft.decision(); // imported turns have ended, even while events are missing
        }
        switch (input) {
            case TurnCommand command -> Commands.decide(draft, command);
            case CallResult result -> Calls.decide(draft, result);
            case TurnInput.Tick _ -> tick(draft);
        }
        boolean continues = !(input instanceof TurnCommand.ImportSession); // imported events have no follow-up
        if (continues && (draft.isChanged() || input instanceof TurnInput.Tick)) {
            Compaction.compactIfNeeded(draft);
            TurnLifecycle.startNext(draft);
            Compaction.compactIfNeeded(draft); // a turn may end at its start
        }
        return draft.decision();
    }

    /** The state after an event. */
    public static SessionState evolve(SessionState state, TurnEvent event) {
        return Evolution.evolve(state, event);
    }

    /** Latest time of the next {@link TurnInput.Tick}; empty if nothing is pending. */
    public static Optional<Instant> nextDue(SessionState state) {
        if (state.isArriving()) {
            return Optional.empty();
        }
        var due = new ArrayList<@Nullable Instant>();
        ActiveTurn turn = state.active();
        if (turn != null) {
            due(turn).forEach(due::add);
        } else if (state.seeding() == null && state.reverting() == null) {
            due.add(state.nextQueued().map(QueuedTurn::startsAt).orElse(null));
        }
        due.add(state.handoff() == null ? null : state.handoff().until());
        due.add(state.seeding() == null ? null : state.seeding().until());
        due.add(state.summary() == null ? null : state.summary().due());
        due.add(state.reverting() == null ? null : state.reverting().due());
        state.reminders().forEach(reminder -> due.add(reminder.wakeAt()));
        return due.stream().flatMap(Stream::ofNullable).min(Instant::compareTo);
    }

    static Stream<Instant> due(ActiveTurn turn) {
        return turn.cancelling() != null
                ? Stream.of(turn.cancelling().until())
                : Stream.concat(Stream.of(turn.deadline()), turn.phase().due());
    }

    /**
     * Results that mark all calls in progress as lost: each is retried immediately without counting as a failure. Empty if
     * no call is in progress.
     */
    public static List<CallResult> retriesOfLostCalls(SessionState state) {
        var orphaned = new ArrayList<CallResult>();
        PendingSummary summary = state.summary();
        PendingRevert revert = state.reverting();
        if (state.active() != null) {
            orphaned.addAll(retriesOfLostCalls(state.active().phase()));
        }
        if (summary != null) {
            orphaned.add(orphanedResult(summary.callId(), summary.attempt()));
        }
        if (revert != null) {
            orphaned.add(orphanedResult(revert.callId(), revert.attempt()));
        }
        return orphaned;
    }

    private static List<CallResult> retriesOfLostCalls(TurnPhase phase) {
        return switch (phase) {
            case CheckingGuardrail(Check check) -> orphanedResults(List.of(check.toolCall()));
            case CallingModel(ModelCall call)
            when call.isRunning() -> List.of(orphanedResult(call.callId(), call.attempt()));
            case CallingTools(List<ToolCall> open) -> orphanedResults(open);
            case CallingModel _, Recalling _ -> List.of(); // recall times out within seconds
        };
    }

    private static List<CallResult> orphanedResults(List<ToolCall> calls) {
        return calls.stream()
                .filter(ToolCall::isRunning)
                .map(call -> orphanedResult(call.callId(), call.attempt()))
                .toList();
    }

    private static CallResult orphanedResult(UUID callId, int attempt) {
        return new CallResult.RetryAfter(callId, attempt, Duration.ZERO, "the process that made the call has stopped");
    }

    /**
     * The effects that answer the sender of a command on which the machine failed. They are not stored: a duplicate, or
     * the command sent again after the failure is mended, is decided anew.
     */
    public static List<TurnEffect> refusal(RecordKey key, TurnCommand command, String code, String message) {
        return Outcomes.refusal(key, command, new Refusal(code, message));
    }

    /**
     * A failed result of the same call, for a result on which the machine failed; empty if the call goes on without it:
     * its lease expires, or a person repeats it.
     */
    public static Optional<CallResult> failed(CallResult result, String detail) {
        return Calls.failed(result, detail);
    }

    /**
     * Ends what waits for an input on which the machine failed: the turn, the summary, or what else is pending.
     *
     * @param callId the call whose result cannot be decided; null for a timer, which ends all that is due
     * @param detail for operators
     */
    public static TurnDecision fault(
            SessionState state, @Nullable UUID callId, String detail, DecisionContext decisionContext) {
        var draft = new TurnDraft(state, decisionContext);
        Faults.end(draft, callId, detail);
        return draft.decision();
    }

    private static void tick(TurnDraft draft) {
        ActiveTurn turn = draft.state().active();
        if (turn != null && turn.cancelling() != null) {
            if (isDue(turn.cancelling().until(), draft)) {
                TurnLifecycle.endAsCancelled(draft);
            }
        } else if (turn != null) {
            tick(draft, turn);
        }
        Forks.tick(draft);
        Compaction.tick(draft);
        Reverts.tick(draft);
        Reminders.tick(draft);
        Handoffs.tick(draft);
    }

    private static void tick(TurnDraft draft, ActiveTurn turn) {
        if (isDue(turn.deadline(), draft) && !hasLostCall(draft, turn)) {
            TurnLifecycle.fail(draft, ErrorCategory.TIMEOUT, "the turn took longer than its agent allows");
            return;
        }
        switch (turn.phase()) {
            case CheckingGuardrail(Check check)
            when isDue(check.toolCall().due(), draft) -> GuardrailSteps.onDue(draft, check);
            case Recalling(ToolCall call) when isDue(call.due(), draft) -> MemorySteps.timeOut(draft);
            case CallingModel(ModelCall call) when isDue(call.due(), draft) -> ModelCalls.onDue(draft, call);
            case CallingTools(List<ToolCall> open) ->
                open.stream().filter(call -> isDue(call.due(), draft)).forEach(call -> ToolCalls.onDue(draft, call));
            case CheckingGuardrail _, Recalling _, CallingModel _ -> {} // not due yet
        }
    }

    /** Whether a call of the turn is retried with more time, which extends the turn's. */
    private static boolean hasLostCall(TurnDraft draft, ActiveTurn turn) {
        return turn.phase() instanceof CallingTools(List<ToolCall> open)
                && open.stream().anyMatch(call -> Calls.isLostPastDeadline(draft, call));
    }

    static boolean isDue(@Nullable Instant time, TurnDraft draft) {
        return time != null && !time.isAfter(draft.now());
    }
}
