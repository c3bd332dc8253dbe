package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.SessionStatus;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.session.PendingSummary;
import dev.parley.domain.session.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Compaction: replaces old turns in the model's context by a summary. Runs concurrently with turns without blocking
 * them, and cuts between turns, so that calls and results stay together.
 */
final class Compaction {
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMinutes(1);
    private static final int ATTEMPTS = 3;

    private Compaction() {}

    /** Requests a summary if the context exceeds the agent's threshold and no turn is waiting. */
    static void compactIfNeeded(TurnDraft draft) {
        SessionState state = draft.state();
        boolean idle = state.active() == null
                && state.seeding() == null
                && state.summary() == null
                && state.context().reversion() == null; // a summary would make the revert final
        if (!idle || !state.exists() || state.open().status() != SessionStatus.ACTIVE) {
            return;
        }
        var turns = state.context().turns();
        Agent agent = draft.sessionAgent();
        boolean paused =
                state.summaryNotBefore() != null && state.summaryNotBefore().isAfter(draft.now());
        if (!paused && turns.size() >= agent.limits().compactAt() && !ModelCalls.exceedsBudget(draft, agent)) {
            request(draft, turns.size() - agent.limits().keep());
        }
    }

    /**
     * Requests a summary of the older half of the turns before the active one, so that a request that was too long
     * fits. Terminates, because each round leaves fewer turns.
     *
     * @return whether {@link ModelCalls#resumeAfterCompaction} will be called
     */
    static boolean shortenContext(TurnDraft draft) {
        SessionState state = draft.state();
        int older = state.context().turns().size() - 1;
        if (state.summary() != null) {
            return true;
        }
        if (older < 1 || ModelCalls.exceedsBudget(draft, draft.agent())) {
            return false;
        }
        request(draft, (older + 1) / 2);
        return true;
    }

    /** Requests a summary of the first turns. */
    private static void request(TurnDraft draft, int first) {
        var turns = draft.state().context().turns();
        UUID callId = Ids.of("summary", draft.state().key(), draft.meta(null).seq());
        request(
                draft,
                new PendingSummary(
                        callId,
                        1,
                        turns.get(first - 1).seq(),
                        turns.get(first).entry(),
                        draft.now(),
                        draft.now().plus(TIMEOUT)));
    }

    private static void request(TurnDraft draft, PendingSummary summary) {
        Instant lease = draft.now().plus(TurnMachine.LEASE);
        draft.emit(new SummaryRequested(
                draft.meta(null),
                summary.callId(),
                summary.attempt(),
                summary.upTo(),
                summary.cut(),
                lease,
                summary.deadline()));
        draft.effect(modelRequest(draft, summary, lease));
    }

    private static TurnEffect.RequestModel modelRequest(TurnDraft draft, PendingSummary summary, Instant lease) {
        Agent agent = draft.sessionAgent();
        var context = draft.state().context();
        return new TurnEffect.RequestModel(
                summary.callId(),
                null,
                0,
                summary.attempt(),
                ModelRequest.Purpose.SUMMARY,
                agent.forSummaries(),
                context.summary(),
                context.from(),
                summary.cut(),
                List.of(),
                null,
                draft.definitions().toolset(agent, draft.state().disclosed()).specs(),
                false,
                draft.state().open().user(),
                lease,
                summary.deadline());
    }

    static void decide(TurnDraft draft, PendingSummary pending, CallResult result) {
        boolean current = result.attempt() == pending.attempt();
        switch (result) {
            case ModelAnswered answer -> summarise(draft, pending, answer);
            case ModelFailed failure
            when current && failure.category().retryable() -> retryLater(draft, pending, failure);
            case ModelFailed failure when current -> fail(draft, pending, failure.category(), failure.detail());
            case RetryAfter retryAfter when current -> retryLater(draft, pending, retryAfter.delay());
            case CallProgress _
            when current ->
                draft.emit(new LeaseRenewed(
                        draft.meta(null), pending.callId(), draft.now().plus(TurnMachine.LEASE)));
            case ModelFailed _, RetryAfter _, CallProgress _ -> {} // of an abandoned attempt
            case ToolAnswered _,
                    ChildFinished _,
                    Embedded _,
                    Found _,
                    WorkAnswered _,
                    CallResult.Settled _ -> {} // not an answer to a model call
        }
    }

    private static void retryLater(TurnDraft draft, PendingSummary pending, ModelFailed failure) {
        if (pending.attempt() < ATTEMPTS) {
            Duration wait = failure.retryAfter();
            retryLater(draft, pending, wait == null ? Calls.backoff(pending.callId(), pending.attempt()) : wait);
        } else {
            fail(draft, pending, failure.category(), failure.detail());
        }
    }

    /** Retries the summary after its lease has expired. */
    private static void retryLater(TurnDraft draft, PendingSummary pending, Duration wait) {
        draft.emit(
                new LeaseRenewed(draft.meta(null), pending.callId(), draft.now().plus(wait)));
    }

    private static void summarise(TurnDraft draft, PendingSummary pending, ModelAnswered answer) {
        String summary = Message.text(answer.blocks());
        boolean broken = answer.finish() != FinishReason.STOP && answer.finish() != FinishReason.UNKNOWN;
        if (broken || summary.isBlank()) {
            fail(draft, pending, ErrorCategory.UNKNOWN, "the summary is empty or broken: " + answer.finish());
        } else {
            draft.emit(new Summarised(
                    draft.meta(null),
                    pending.callId(),
                    summary,
                    pending.upTo(),
                    pending.cut(),
                    answer.usage(),
                    answer.model(),
                    answer.provider()));
            ModelCalls.resumeAfterCompaction(draft, true);
        }
    }

    /** Abandons the pending summary: the turns it would replace no longer exist. */
    static void cancel(TurnDraft draft) {
        PendingSummary pending = draft.state().summary();
        if (pending != null) {
            draft.effect(new TurnEffect.CancelModel(pending.callId()));
        }
    }

    static void fail(TurnDraft draft, PendingSummary pending, ErrorCategory category, String detail) {
        draft.emit(new SummaryFailed(
                draft.meta(null),
                pending.callId(),
                category,
                detail,
                draft.now().plus(PAUSE_AFTER_FAILURE)));
        ModelCalls.resumeAfterCompaction(draft, false);
    }

    static void tick(TurnDraft draft) {
        PendingSummary pending = draft.state().summary();
        if (pending == null || !TurnMachine.isDue(pending.due(), draft)) {
            return;
        }
        if (pending.attempt() < ATTEMPTS && pending.deadline().isAfter(draft.now())) {
            request(draft, pending.withAttempt(pending.attempt() + 1));
        } else {
            draft.effect(new TurnEffect.CancelModel(pending.callId()));
            fail(draft, pending, ErrorCategory.LOST, "no worker finished the summary");
        }
    }
}
