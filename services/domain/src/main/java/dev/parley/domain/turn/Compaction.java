package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Message;
import dev.parley.domain.turn.CallResult.*;
import dev.parley.domain.turn.SessionState.PendingSummary;
import dev.parley.domain.turn.TurnEvent.*;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Old turns are shown to the model as a summary. It is made beside the turns, never in their way, and cuts between turns,
 * so that a call and its result stay together.
 */
final class Compaction {
    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int ATTEMPTS = 3;

    private Compaction() {}

    /** Asks for a summary where the context has grown beyond what its agent allows. */
    static void consider(Draft draft) {
        SessionState state = draft.state();
        var turns = state.context().turns();
        Agent agent = draft.agent(state.open().agent(), "");
        boolean paused = state.summaryNotBefore() != null && state.summaryNotBefore().isAfter(draft.now());
        if (state.summary() != null || paused || turns.size() < agent.limits().compactAt()) {
            return;
        }
        int first = turns.size() - agent.limits().keep();
        request(draft, agent, 1, turns.get(first - 1).seq(), turns.get(first).entry(), draft.now().plus(DEADLINE));
    }

    private static void request(Draft draft, Agent agent, int attempt, long upTo, long cut, Instant deadline) {
        UUID callId = Ids.of("summary", draft.state().open().sessionId(), draft.state().key(), upTo, cut);
        Instant lease = draft.now().plus(TurnMachine.LEASE);
        draft.emit(new SummaryRequested(draft.meta(null), callId, attempt, upTo, cut, lease, deadline));
        var context = draft.state().context();
        draft.effect(new Effect.AskModel(
                callId, null, 0, attempt, ModelRequest.Purpose.SUMMARY, agent, context.summary(), context.from(), cut,
                List.of(), draft.state().open().user(), lease, deadline));
    }

    static void decide(Draft draft, PendingSummary pending, CallResult result) {
        switch (result) {
            case ModelAnswered answer -> summarise(draft, pending, answer);
            case ModelFailed failure when failure.attempt() == pending.attempt() -> failed(
                    draft, pending, failure.category(), failure.detail());
            case CallProgress _ -> draft.emit(
                    new LeaseRenewed(draft.meta(null), pending.callId(), draft.now().plus(TurnMachine.LEASE)));
            case RetryAfter later when later.attempt() == pending.attempt() -> failed(
                    draft, pending, ErrorCategory.RATE_LIMIT, later.reason());
            case ModelFailed _, RetryAfter _, ToolAnswered _, ChildFinished _ -> {} // not an answer to this attempt
        }
    }

    private static void summarise(Draft draft, PendingSummary pending, ModelAnswered answer) {
        String summary = Message.text(answer.blocks());
        if (summary.isBlank()) {
            failed(draft, pending, ErrorCategory.UNKNOWN, "the summary is empty");
        } else {
            draft.emit(new Summarised(
                    draft.meta(null), pending.callId(), summary, pending.upTo(), pending.cut(), answer.usage(),
                    answer.model()));
        }
    }

    private static void failed(Draft draft, PendingSummary pending, ErrorCategory category, String detail) {
        draft.emit(new SummaryFailed(
                draft.meta(null), pending.callId(), category, detail, draft.now().plus(PAUSE)));
    }

    static void tick(Draft draft) {
        PendingSummary pending = draft.state().summary();
        if (pending == null || !TurnMachine.isDue(pending.leaseUntil(), draft)) {
            return;
        }
        if (pending.attempt() < ATTEMPTS && pending.deadline().isAfter(draft.now())) {
            Agent agent = draft.agent(draft.state().open().agent(), "");
            request(draft, agent, pending.attempt() + 1, pending.upTo(), pending.cut(), pending.deadline());
        } else {
            failed(draft, pending, ErrorCategory.LOST, "no worker finished the summary");
        }
    }
}
