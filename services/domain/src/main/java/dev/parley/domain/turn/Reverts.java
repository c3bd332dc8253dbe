package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.domain.protocol.TurnEvent.ContextReset;
import dev.parley.domain.protocol.TurnEvent.FilesRevertRequested;
import dev.parley.domain.protocol.TurnEvent.FilesReverted;
import dev.parley.domain.protocol.TurnEvent.LeaseRenewed;
import dev.parley.domain.session.PendingRevert;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnStart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Revert and unrevert of turns, including their file changes. The conversation changes immediately; files are restored
 * by a tool call, and no turn starts before that call has ended, so that none sees partially restored files.
 */
final class Reverts {
    /** Maximum time that turns are held back. */
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    /** The worker's deadline is earlier by this margin, so that it does not act after a failure was reported. */
    private static final Duration ROOM = Duration.ofSeconds(5);

    private static final int ATTEMPTS = 3;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private Reverts() {}

    /** The call that puts files back after this event. */
    static UUID call(RecordKey key, long seq) {
        return Ids.of("revert", key, seq);
    }

    static void revert(Draft draft, ResetContext command) {
        if (isRefused(draft, command)) {
            return;
        }
        List<TurnStart> shown = draft.state().context().turns();
        int first = command.label() == null ? shown.size() - 1 : after(shown, command.label());
        if (first < 0 && command.label() != null) {
            Outcomes.refused(draft, command, Refusal.notInContext("unknown_turn", "the turn", command.label()));
        } else if (first < 0
                || first == shown.size()
                || !Commands.isOwn(draft, shown.get(first).turnId())) {
            Outcomes.refused(draft, command, "nothing_to_revert", "no turn is left that can be taken back");
        } else {
            List<TurnStart> taken = shown.subList(first, shown.size());
            takeBack(draft, taken.getFirst());
            Outcomes.remember(draft, command.meta().commandId());
            ask(
                    draft,
                    command,
                    "{\"takeBack\":%s}"
                            .formatted(ids(taken.stream().map(TurnStart::turnId).toList())));
        }
    }

    static void unrevert(Draft draft, ResetContext command) {
        if (isRefused(draft, command)) {
            return;
        }
        var taken = draft.state().context().reversion();
        if (taken == null) {
            Outcomes.refused(
                    draft,
                    command,
                    "nothing_to_unrevert",
                    "nothing was taken back that could be brought back: a new turn makes it final");
        } else {
            stopWork(draft);
            draft.emit(new ContextReset(draft.meta(null), Reset.UNREVERT, Long.toString(taken.seq())));
            Outcomes.remember(draft, command.meta().commandId());
            ask(draft, command, "{\"bringBack\":%s}".formatted(ids(taken.calls())));
        }
    }

    static boolean isRefused(Draft draft, TurnCommand command) {
        SessionState state = draft.state();
        if (!state.exists()) {
            Outcomes.refused(draft, command, Refusal.UNKNOWN_SESSION);
            return true;
        }
        if (state.reverting() != null || state.seeding() != null) {
            Outcomes.refused(draft, command, "session_busy", "the session is being changed; try again in a moment");
            return true;
        }
        return false;
    }

    /** The number of the first turn after this one; less than 0 where this one is not shown. */
    private static int after(List<TurnStart> shown, String turn) {
        for (int i = 0; i < shown.size(); i++) {
            if (shown.get(i).turnId().toString().equals(turn)) {
                return i + 1;
            }
        }
        return -1;
    }

    private static String ids(List<UUID> ids) {
        return ids.stream().map(id -> '"' + id.toString() + '"').collect(Collectors.joining(",", "[", "]"));
    }

    /** What runs or waits came after what the conversation goes back to. */
    private static void stopWork(Draft draft) {
        TurnLifecycle.cancelNow(draft, "the conversation was reverted");
        TurnLifecycle.cancelAllQueued(draft, "the conversation was reverted");
        Compaction.giveUp(draft);
    }

    /** Takes this turn and all after it out of the context, and ends what runs or waits. */
    static void takeBack(Draft draft, TurnStart first) {
        stopWork(draft);
        draft.emit(new ContextReset(draft.meta(null), Reset.REVERT, Long.toString(first.seq())));
    }

    private static void ask(Draft draft, ResetContext command, String arguments) {
        SessionState state = draft.state();
        CommandMeta meta = command.meta();
        ask(
                draft,
                new PendingRevert(
                        call(state.key(), state.lastSeq()),
                        1,
                        meta.commandId(),
                        meta.outcomePartition(),
                        meta.user(),
                        arguments,
                        draft.now().plus(TurnMachine.LEASE),
                        draft.now().plus(DEADLINE)));
    }

    private static void ask(Draft draft, PendingRevert revert) {
        draft.emit(new FilesRevertRequested(
                draft.meta(null),
                revert.callId(),
                revert.attempt(),
                revert.commandId(),
                revert.waiter(),
                revert.user(),
                revert.arguments(),
                revert.leaseUntil(),
                revert.deadline()));
        var session = draft.state().open();
        draft.effect(new Effect.RequestTool(new ToolRequest(
                revert.callId(),
                session.host(),
                session.sessionId(),
                revert.commandId(),
                null,
                0,
                0,
                revert.attempt(),
                session.agent(),
                ToolSpec.FILES_REVERT,
                "",
                revert.arguments(),
                revert.user(),
                revert.leaseUntil(),
                revert.deadline().minus(ROOM),
                List.of(),
                null)));
    }

    static void decide(Draft draft, PendingRevert revert, CallResult result) {
        boolean current = result.attempt() == revert.attempt();
        switch (result) {
            case ToolAnswered answer when current && isWorthAnother(revert, answer) -> lease(draft, revert, PAUSE);
            case ToolAnswered answer
            when answer.status().isFinal() -> ended(draft, revert, answer.status(), answer.content());
            case RetryAfter later when current -> lease(draft, revert, later.delay());
            case CallProgress _ when current -> lease(draft, revert, TurnMachine.LEASE);
            case RetryAfter _, CallProgress _ -> {} // of an attempt that was given up
            case ToolAnswered _,
                    ChildFinished _,
                    ModelAnswered _,
                    ModelFailed _,
                    Embedded _,
                    CallResult.WorkAnswered _,
                    CallResult.Settled _,
                    Found _ -> {} // not an answer to this call
        }
    }

    /** A database may be away for a moment. */
    private static boolean isWorthAnother(PendingRevert revert, ToolAnswered answer) {
        return answer.status().isFinal() && answer.status() != ToolStatus.COMPLETED && revert.attempt() < ATTEMPTS;
    }

    private static void lease(Draft draft, PendingRevert revert, Duration time) {
        draft.emit(
                new LeaseRenewed(draft.meta(null), revert.callId(), draft.now().plus(time)));
    }

    private static void ended(Draft draft, PendingRevert revert, ToolStatus status, String content) {
        draft.emit(new FilesReverted(draft.meta(null), revert.callId(), status, content));
        Integer waiter = revert.waiter();
        if (waiter != null) {
            SessionState state = draft.state();
            boolean done = status == ToolStatus.COMPLETED;
            draft.effect(new Effect.SendOutcome(
                    waiter,
                    new Outcome.Reverted(
                            state.key(), revert.commandId(), state.open().sessionId(), done, content)));
        }
    }

    static void tick(Draft draft) {
        PendingRevert revert = draft.state().reverting();
        if (revert == null || !TurnMachine.isDue(revert.due(), draft)) {
            return;
        }
        if (revert.deadline().isAfter(draft.now())) {
            Instant lease = draft.now().plus(TurnMachine.LEASE);
            ask(
                    draft,
                    revert.with()
                            .attempt(revert.attempt() + 1)
                            .leaseUntil(lease)
                            .build());
        } else {
            draft.effect(new Effect.CancelTool(revert.callId()));
            ended(
                    draft,
                    revert,
                    ToolStatus.ERROR,
                    "error: the files were not put back in time; restore the snapshot of before the turn");
        }
    }
}
