package dev.parley.domain.turn;

import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.session.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The turn machine: what a session does with everything that happens to it.
 *
 * <pre>
 *            SubmitTurn                 no calls: complete
 *   (idle) ────────────► RUNNING_MODEL ───────────────────► COMPLETED | FAILED | CANCELLED
 *              queue ▲        │    ▲                               │
 *                    └────────┼────┼───────────────────────────────┘ the next of the queue
 *                  tool calls ▼    │ every call has its one result
 *      WAITING_APPROVAL ◄─► WAITING_TOOL | WAITING_CHILD
 * </pre>
 *
 * A model or tool call is leased: its worker says that it still has it, or it is asked again with the next attempt. A
 * result is taken once, by call id; one that comes late, twice or for a turn that ended changes nothing. What comes in, and
 * what a model says, goes on when the guardrails have passed it; while a tool of theirs is asked, the turn is WAITING_TOOL.
 */
public final class TurnMachine {
    /** How long a worker may be silent about a call before it is asked again. */
    public static final Duration LEASE = Duration.ofSeconds(10);

    /** How long a cancelled model call has to hand in what it had said. */
    static final Duration LAST_WORDS = Duration.ofMillis(1_500);

    /** How long a collecting turn waits for one more message. */
    static final Duration DEBOUNCE = Duration.ofMillis(500);

    /** How long a fork's next piece may take. */
    static final Duration SEEDING = Duration.ofMinutes(5);

    /** The same calls this often in a row end the use of tools in a turn. */
    static final int LOOP = 3;

    /** How long a person may think about whether a tool call may be carried out. */
    static final Duration APPROVAL = Duration.ofHours(1);

    /** The same where nobody is in front of the turn, and the question stands on worklists alone. */
    static final Duration WORKLIST_APPROVAL = Duration.ofDays(1);

    /** Most delegations above a turn. */
    static final int MAX_DEPTH = 3;

    /** Most tool calls of one answer that are carried out. */
    static final int MAX_PARALLEL = 32;

    /** How often a tool call is asked again after its lease lapsed. */
    static final int TOOL_ATTEMPTS = 5;

    private TurnMachine() {}

    /** Decides what happens next. Neither the state nor the input is changed. */
    public static TurnDecision decide(SessionState state, TurnInput input, DecisionContext surroundings) {
        var draft = new Draft(state, surroundings);
        if (state.isArriving() && !(input instanceof TurnCommand)) {
            return draft.done(); // its turns are over, however they look before the last piece is there
        }
        switch (input) {
            case TurnCommand command -> Commands.decide(draft, command);
            case CallResult result -> Calls.decide(draft, result);
            case TurnInput.Tick _ -> tick(draft);
        }
        boolean here = !(input instanceof TurnCommand.ImportSession); // what happened elsewhere wants nothing
        if (here && (draft.isChanged() || input instanceof TurnInput.Tick)) {
            Compaction.consider(draft);
            TurnLifecycle.startNext(draft);
            Compaction.consider(draft); // a turn may have ended as it began
        }
        return draft.done();
    }

    /** The state after an event. */
    public static SessionState evolve(SessionState state, TurnEvent event) {
        return Evolution.evolve(state, event);
    }

    /** When the machine wants a {@link TurnInput.Tick} at the latest, or empty where it waits for nothing. */
    public static Optional<Instant> nextDue(SessionState state) {
        if (state.isArriving()) {
            return Optional.empty();
        }
        var due = new ArrayList<@Nullable Instant>();
        ActiveTurn turn = state.active();
        if (turn != null) {
            dues(turn).forEach(due::add);
        } else if (state.seeding() == null
                && state.reverting() == null
                && !state.queue().isEmpty()) {
            due.add(state.queue().getFirst().holdUntil());
        }
        due.add(state.seeding() == null ? null : state.seeding().until());
        due.add(state.summary() == null ? null : Compaction.due(state.summary()));
        due.add(state.reverting() == null ? null : Reverts.due(state.reverting()));
        return due.stream().flatMap(Stream::ofNullable).min(Instant::compareTo);
    }

    /**
     * What tells the machine that all calls which are under way are lost: each is asked again at once, and has lost no attempt. Empty
     * where no call is under way.
     */
    public static List<CallResult> lost(SessionState state) {
        var calls = new ArrayList<CallResult>();
        ActiveTurn turn = state.active();
        if (turn != null) {
            var check = turn.guarded().check();
            if (check != null) {
                lost(check.asked()).ifPresent(calls::add);
            }
            if (turn.model() != null && turn.model().retryAt() == null) {
                calls.add(lost(turn.model().callId(), turn.model().attempt()));
            }
            turn.calls().forEach(call -> lost(call).ifPresent(calls::add));
        }
        if (state.summary() != null) {
            calls.add(lost(state.summary().callId(), state.summary().attempt()));
        }
        if (state.reverting() != null) {
            calls.add(lost(state.reverting().callId(), state.reverting().attempt()));
        }
        return calls;
    }

    private static Optional<CallResult> lost(ToolCall call) {
        boolean underWay = !call.status().isFinal()
                && call.retryAt() == null
                && call.child() == null
                && call.approval() == null
                && !call.isCallers();
        return underWay ? Optional.of(lost(call.callId(), call.attempt())) : Optional.empty();
    }

    private static CallResult lost(UUID callId, int attempt) {
        return new CallResult.RetryAfter(callId, attempt, Duration.ZERO, "the process that made the call is gone");
    }

    private static Stream<Instant> dues(ActiveTurn turn) {
        if (turn.cancelling() != null) {
            return Stream.of(turn.cancelling().until());
        }
        var check = turn.guarded().check();
        if (check != null) {
            return Stream.of(turn.deadline(), due(check.asked()));
        }
        if (turn.recollection().asked() != null) {
            return Stream.of(turn.deadline(), due(turn.recollection().asked()));
        }
        var model = Optional.ofNullable(turn.model()).map(TurnMachine::due).stream();
        var tools =
                turn.calls().stream().filter(call -> !call.status().isFinal()).map(TurnMachine::due);
        return Stream.of(Stream.of(turn.deadline()), model, tools).flatMap(dues -> dues);
    }

    private static Instant due(ModelCall call) {
        return call.retryAt() == null ? call.leaseUntil() : call.retryAt();
    }

    private static Instant due(ToolCall call) {
        if (call.approval() != null) {
            return call.approval().expiresAt();
        }
        Instant next =
                call.retryAt() != null ? call.retryAt() : call.child() == null ? call.leaseUntil() : call.deadline();
        return next.isBefore(call.deadline()) ? next : call.deadline();
    }

    private static void tick(Draft draft) {
        ActiveTurn turn = draft.state().active();
        if (turn != null && turn.cancelling() != null) {
            if (isDue(turn.cancelling().until(), draft)) {
                TurnLifecycle.cancelled(draft);
            }
        } else if (turn != null) {
            tick(draft, turn);
        }
        Forks.tick(draft);
        Compaction.tick(draft);
        Reverts.tick(draft);
    }

    private static void tick(Draft draft, ActiveTurn turn) {
        if (isDue(turn.deadline(), draft)) {
            TurnLifecycle.fail(draft, ErrorCategory.TIMEOUT, "the turn took longer than its agent allows");
        } else if (turn.guarded().check() != null) {
            if (isDue(due(turn.guarded().check().asked()), draft)) {
                GuardrailSteps.due(draft, turn.guarded().check());
            }
        } else if (turn.recollection().asked() != null) {
            if (isDue(due(turn.recollection().asked()), draft)) {
                MemorySteps.due(draft);
            }
        } else if (turn.model() != null && isDue(due(turn.model()), draft)) {
            ModelCalls.due(draft, turn.model());
        } else {
            turn.calls().stream()
                    .filter(call -> !call.status().isFinal() && isDue(due(call), draft))
                    .forEach(call -> ToolCalls.due(draft, call));
        }
    }

    static boolean isDue(@Nullable Instant time, Draft draft) {
        return time != null && !time.isAfter(draft.now());
    }
}
