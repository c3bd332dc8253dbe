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
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnCommand.ResetContext;
import dev.parley.domain.protocol.TurnEvent.ContextReset;
import dev.parley.domain.protocol.TurnEvent.FilesRevertRequested;
import dev.parley.domain.protocol.TurnEvent.FilesReverted;
import dev.parley.domain.protocol.TurnEvent.LeaseRenewed;
import dev.parley.domain.session.PendingRevert;
import dev.parley.domain.session.Reversion;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnStart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Revert and unrevert of turns, including their file changes. The conversation changes immediately; files are restored
 * by a tool call, and no turn starts before that call has ended, so that none sees partially restored files.
 */
final class Reverts {
    /** Maximum time that turns are held back. */
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** The worker's deadline is earlier by this margin, so that it does not act after a failure was reported. */
    private static final Duration DEADLINE_MARGIN = Duration.ofSeconds(5);

    private static final int ATTEMPTS = 3;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private Reverts() {}

    /** Id of the call that restores files after this event. */
    static UUID call(RecordKey key, long seq) {
        return Ids.of("revert", key, seq);
    }

    static void revert(TurnDraft draft, ResetContext command) {
        List<TurnStart> turns = draft.state().context().turns();
        int first = command.label() == null ? turns.size() - 1 : indexAfter(turns, command.label());
        Optional<Refusal> refusal = refusal(draft.state())
                .or(() -> unknownTurn(command.label(), first))
                .or(() -> Refusal.when(
                        first < 0
                                || first == turns.size()
                                || !Commands.isOwn(draft, turns.get(first).turnId()),
                        "nothing_to_revert",
                        "no turn is left that can be taken back"));
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
            return;
        }
        List<UUID> reverted = turns.stream().skip(first).map(TurnStart::turnId).toList();
        revertFrom(draft, turns.get(first));
        Outcomes.storeAccepted(draft, command.meta().commandId());
        requestFiles(draft, command, "{\"takeBack\":%s}".formatted(idsJson(reverted)));
    }

    private static Optional<Refusal> unknownTurn(@Nullable String label, int first) {
        return label != null && first < 0
                ? Optional.of(Refusal.notInContext("unknown_turn", "the turn", label))
                : Optional.empty();
    }

    static void unrevert(TurnDraft draft, ResetContext command) {
        Reversion reversion = draft.state().context().reversion();
        Optional<Refusal> refusal = refusal(draft.state());
        if (refusal.isPresent()) {
            Outcomes.refuse(draft, command, refusal.get());
        } else if (reversion == null) {
            Outcomes.refuse(
                    draft,
                    command,
                    "nothing_to_unrevert",
                    "there are no reverted turns to restore: a new turn makes a revert final");
        } else {
            cancelWork(draft);
            draft.emit(new ContextReset(draft.meta(null), Reset.UNREVERT, Long.toString(reversion.seq())));
            Outcomes.storeAccepted(draft, command.meta().commandId());
            requestFiles(draft, command, "{\"bringBack\":%s}".formatted(idsJson(reversion.calls())));
        }
    }

    /** The reason why no turn can be reverted or restored now; empty if one can. */
    static Optional<Refusal> refusal(SessionState state) {
        return state.exists()
                ? Refusal.when(
                        state.reverting() != null || state.seeding() != null,
                        "session_busy",
                        "the session is being changed; try again in a moment")
                : Optional.of(Refusal.UNKNOWN_SESSION);
    }

    /** Index of the turn after this one; negative if this one is not in the context. */
    private static int indexAfter(List<TurnStart> turns, String turn) {
        for (int i = 0; i < turns.size(); i++) {
            if (turns.get(i).turnId().toString().equals(turn)) {
                return i + 1;
            }
        }
        return -1;
    }

    private static String idsJson(List<UUID> ids) {
        return ids.stream().map(id -> '"' + id.toString() + '"').collect(Collectors.joining(",", "[", "]"));
    }

    /** Cancels the active turn, all queued ones and the summary: the conversation returns to a point before them. */
    private static void cancelWork(TurnDraft draft) {
        TurnLifecycle.cancelNow(draft, "the conversation was reverted");
        TurnLifecycle.cancelAllQueued(draft, "the conversation was reverted");
        Compaction.cancel(draft);
    }

    /** Removes this turn and all later ones from the context, and cancels all work in progress. */
    static void revertFrom(TurnDraft draft, TurnStart first) {
        cancelWork(draft);
        draft.emit(new ContextReset(draft.meta(null), Reset.REVERT, Long.toString(first.seq())));
    }

    private static void requestFiles(TurnDraft draft, ResetContext command, String arguments) {
        SessionState state = draft.state();
        CommandMeta meta = command.meta();
        requestFiles(
                draft,
                new PendingRevert(
                        call(state.key(), state.lastSeq()),
                        1,
                        meta.commandId(),
                        meta.outcomePartition(),
                        meta.user(),
                        arguments,
                        draft.now().plus(TurnMachine.LEASE),
                        draft.now().plus(TIMEOUT)));
    }

    private static void requestFiles(TurnDraft draft, PendingRevert revert) {
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
        draft.effect(new TurnEffect.RequestTool(toolRequest(draft.state().open(), revert)));
    }

    private static ToolRequest toolRequest(Session session, PendingRevert revert) {
        return new ToolRequest(
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
                revert.deadline().minus(DEADLINE_MARGIN),
                List.of(),
                null);
    }

    static void decide(TurnDraft draft, PendingRevert revert, CallResult result) {
        boolean current = result.attempt() == revert.attempt();
        switch (result) {
            case ToolAnswered answer
            when current && isRetryable(revert, answer) -> extendLease(draft, revert, RETRY_DELAY);
            case ToolAnswered answer
            when answer.status().isFinal() -> complete(draft, revert, answer.status(), answer.content());
            case RetryAfter retryAfter when current -> extendLease(draft, revert, retryAfter.delay());
            case CallProgress _ when current -> extendLease(draft, revert, TurnMachine.LEASE);
            case RetryAfter _, CallProgress _ -> {} // of an abandoned attempt
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

    /** Failures may be transient, such as an unavailable database. */
    private static boolean isRetryable(PendingRevert revert, ToolAnswered answer) {
        return answer.status().isFinal() && answer.status() != ToolStatus.COMPLETED && revert.attempt() < ATTEMPTS;
    }

    private static void extendLease(TurnDraft draft, PendingRevert revert, Duration time) {
        draft.emit(
                new LeaseRenewed(draft.meta(null), revert.callId(), draft.now().plus(time)));
    }

    static void complete(TurnDraft draft, PendingRevert revert, ToolStatus status, String content) {
        draft.emit(new FilesReverted(draft.meta(null), revert.callId(), status, content));
        Integer waiter = revert.waiter();
        if (waiter != null) {
            SessionState state = draft.state();
            boolean isCompleted = status == ToolStatus.COMPLETED;
            draft.effect(new TurnEffect.SendOutcome(
                    waiter,
                    new Outcome.Reverted(
                            state.key(), revert.commandId(), state.open().sessionId(), isCompleted, content)));
        }
    }

    static void tick(TurnDraft draft) {
        PendingRevert revert = draft.state().reverting();
        if (revert == null || !TurnMachine.isDue(revert.due(), draft)) {
            return;
        }
        if (revert.deadline().isAfter(draft.now())) {
            Instant lease = draft.now().plus(TurnMachine.LEASE);
            requestFiles(
                    draft,
                    revert.with()
                            .attempt(revert.attempt() + 1)
                            .leaseUntil(lease)
                            .build());
        } else {
            draft.effect(new TurnEffect.CancelTool(revert.callId()));
            complete(
                    draft,
                    revert,
                    ToolStatus.ERROR,
                    "error: the files were not put back in time; restore the snapshot of before the turn");
        }
    }
}
