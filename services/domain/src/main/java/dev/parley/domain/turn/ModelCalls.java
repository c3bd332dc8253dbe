package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Settings;
import dev.parley.domain.memory.prompt.PromptDelimiter;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.turn.answer.UsableAnswer;
import dev.parley.language.text.Clip;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Model calls of a turn: requests, results and retries. */
final class ModelCalls {
    private static final String OBJECTION =
            "Your last answer was not used: it does not match the JSON Schema that it must match. Answer anew, with"
                    + " JSON that matches it and nothing else. ";

    /** Maximum characters of the reason why an answer was not used. */
    private static final int MAX_OBJECTION = 1_000;

    private static final int DEFAULT_ANSWER_TOKENS = 1024;

    private static final long NANOS_PER_MICRO = 1_000;

    /** Error detail of a turn that has exhausted its own budget. */
    static final String TURN_BUDGET_SPENT = "the turn has used up what it may have of tokens or money";

    private ModelCalls() {}

    /** Makes the model call of this step, unless the session's budget is exhausted. */
    static void request(TurnDraft draft, int step) {
        if (TranscriptionStep.startTranscription(draft, step) || GuardrailSteps.startInputChecks(draft, step)) {
            return;
        }
        String answered = draft.turn().turn().answered();
        if (answered != null) {
            TurnLifecycle.completeAnswered(draft, answered);
            return;
        }
        if (MemorySteps.startRecall(draft, step)) {
            return;
        }
        appendSteered(draft);
        Agent agent = draft.agent();
        if (exceedsBudget(draft, agent)) {
            TurnLifecycle.fail(draft, ErrorCategory.BUDGET, "the next call would exceed the session's budget");
        } else if (exceedsOwnBudget(draft, agent)) {
            TurnLifecycle.fail(draft, ErrorCategory.BUDGET, TURN_BUDGET_SPENT);
        } else {
            request(draft, step, 1);
        }
    }

    /** Whether the turn has exhausted its own budget; an unknown cost counts as exceeding a cost limit. */
    private static boolean exceedsOwnBudget(TurnDraft draft, Agent agent) {
        Usage spent = draft.turn().usage();
        Long cost = spent.costNanos();
        OptionalLong tokens = agent.bound(Settings.TURN_TOKENS);
        OptionalLong micros = agent.bound(Settings.TURN_COST);
        return (tokens.isPresent() && spent.tokens() >= tokens.getAsLong())
                || (micros.isPresent() && (cost == null || cost >= micros.getAsLong() * NANOS_PER_MICRO));
    }

    /**
     * Appends the messages that joined the turn to the context, before the next model call, even if that is another
     * turn's.
     */
    static void appendSteered(TurnDraft draft) {
        for (List<Block> content : draft.turn().steered()) {
            ActiveTurn turn = draft.turn();
            var message = new Message(Role.USER, content, false, null, null);
            draft.emit(new MessageAppended(draft.turnMeta(), turn.nextMessage(), message));
        }
    }

    /** The maximum cost of a call is reserved before it is made; its actual cost is charged after. */
    static boolean exceedsBudget(TurnDraft draft, Agent agent) {
        Usage spent = draft.state().spent();
        Integer maxTokens = agent.maxTokens();
        long reserved = draft.state().context().tokens() + (maxTokens == null ? DEFAULT_ANSWER_TOKENS : maxTokens);
        Long tokens = agent.limits().sessionTokens();
        Long cost = agent.limits().sessionCostNanos();
        Long spentCost = spent.costNanos();
        return (tokens != null && spent.tokens() + reserved > tokens)
                || (cost != null && spentCost != null && spentCost >= cost);
    }

    private static void request(TurnDraft draft, int step, int attempt) {
        ActiveTurn turn = draft.turn();
        Agent agent = draft.agent();
        boolean tools =
                agent.usesTools() && !turn.lastStep() && step < agent.limits().maxSteps() - 1;
        UUID callId = Ids.of("model", turn.turnId(), step);
        Instant lease = draft.now().plus(TurnMachine.LEASE);
        var requested = new ModelRequested(
                draft.turnMeta(), callId, step, attempt, agent.provider(), agent.model(), tools, List.of(), lease);
        draft.emit(requested);
        draft.effect(modelRequest(draft, requested));
        if (attempt > 1) {
            draft.effect(
                    new TurnEffect.PublishDelta(TurnDelta.of(turn.turnId(), TurnDelta.Kind.RETRY, step, attempt, "")));
        }
    }

    private static TurnEffect.RequestModel modelRequest(TurnDraft draft, ModelRequested requested) {
        ActiveTurn turn = draft.turn();
        var context = draft.state().context();
        return new TurnEffect.RequestModel(
                requested.callId(),
                turn.turnId(),
                requested.step(),
                requested.attempt(),
                ModelRequest.Purpose.REPLY,
                withObjection(turn, Disclosures.instructedAgent(draft)),
                context.summary(),
                context.from(),
                context.next(),
                List.of(),
                MemorySteps.memories(draft),
                Disclosures.tools(draft).specs(),
                requested.toolsAllowed(),
                turn.turn().user(),
                requested.leaseUntil(),
                turn.deadline());
    }

    /** An answer that breaks its schema is asked for once more with the reason, which may quote the answer. */
    private static Agent withObjection(ActiveTurn turn, Agent agent) {
        ModelCall call = turn.model();
        String objection = call == null ? null : call.objection();
        return objection == null
                ? agent
                : agent.withAddedInstructions(OBJECTION + PromptDelimiter.RULE + "\n"
                        + PromptDelimiter.around("errors", Clip.start(objection, MAX_OBJECTION)));
    }

    static void decide(TurnDraft draft, ModelCall call, CallResult result) {
        boolean current = call.awaits(result);
        switch (result) {
            case ModelAnswered transcript
            when call.purpose() == ModelRequest.Purpose.TRANSCRIPT ->
                TranscriptionStep.onTranscribed(draft, call, transcript);
            case ModelAnswered answer -> onModelAnswered(draft, answer);
            case ModelFailed failure when current -> fail(draft, call, failure);
            case RetryAfter _ when current && draft.turn().cancelling() != null -> TurnLifecycle.endAsCancelled(draft);
            case RetryAfter retryAfter when current -> Calls.delay(draft, retryAfter);
            case CallProgress _ when current -> Calls.renewLease(draft, call.callId());
            case ModelFailed _, RetryAfter _, CallProgress _ -> {} // of an abandoned attempt
            case ToolAnswered _,
                    ChildFinished _,
                    Embedded _,
                    Found _,
                    WorkAnswered _,
                    CallResult.Settled _ -> {} // not an answer to a model call
        }
    }

    private static void onModelAnswered(TurnDraft draft, ModelAnswered result) {
        var unique = result.withContent(UsableAnswer.withUniqueIds(result.blocks()), result.raw());
        if (draft.turn().cancelling() != null) {
            appendAnswer(draft, GuardrailSteps.checkPartial(draft, unique), true);
            TurnLifecycle.endAsCancelled(draft);
        } else {
            GuardrailSteps.checkAnswer(draft, unique);
        }
    }

    /** Processes an answer that the guardrails have passed. */
    static void accept(TurnDraft draft, ModelAnswered result) {
        UsableAnswer answer = appendAnswer(draft, result, false);
        if (answer.finish() == FinishReason.CONTENT_FILTER) {
            TurnLifecycle.fail(draft, ErrorCategory.CONTENT_FILTER, "the provider's content filter stopped the answer");
        } else if (answer.finish() == FinishReason.ERROR) {
            TurnLifecycle.fail(draft, ErrorCategory.SERVER, "the provider ended the answer with an error");
        } else if (!answer.calls().isEmpty()) {
            ToolCalls.sendFiles(draft, Message.files(answer.blocks()));
            ToolCalls.startAll(draft, answer);
        } else {
            onAnswerWithoutCalls(draft, answer);
        }
    }

    private static void onAnswerWithoutCalls(TurnDraft draft, UsableAnswer answer) {
        ActiveTurn turn = draft.turn();
        String text = Message.text(answer.blocks());
        var files = Message.files(answer.blocks());
        if (!turn.steered().isEmpty() && answer.toolsAllowed()) {
            if (!text.isBlank()) {
                ToolCalls.sendMessage(draft, text);
            }
            ToolCalls.sendFiles(draft, files);
            request(draft, turn.step() + 1);
        } else if (!answer.toolsAllowed() && text.isBlank() && files.isEmpty()) {
            String notice = "I stopped after %d steps without an answer.".formatted(turn.step() + 1);
            TurnLifecycle.complete(draft, notice, List.of(), FinishReason.STOP);
        } else {
            FinishReason finish = answer.finish();
            TurnLifecycle.complete(draft, text, files, finish == FinishReason.TOOL_CALLS ? FinishReason.STOP : finish);
        }
    }

    /** Appends the publishable part of an answer to the history, and charges its usage. */
    static UsableAnswer appendAnswer(TurnDraft draft, ModelAnswered result, boolean interrupted) {
        ActiveTurn turn = draft.turn();
        boolean tools = turn.model() != null && turn.model().toolsAllowed();
        draft.emit(new ModelCalled(
                draft.turnMeta(),
                result.callId(),
                turn.step(),
                result.attempt(),
                turn.nextMessage(),
                result.blocks(),
                result.finish(),
                interrupted,
                result.usage(),
                result.provider(),
                result.model(),
                result.raw(),
                result.payer()));
        return new UsableAnswer(result.blocks(), result.finish(), interrupted, tools);
    }

    private static void fail(TurnDraft draft, ModelCall call, ModelFailed failure) {
        if (draft.turn().cancelling() != null) {
            appendPartial(draft, failure, FinishReason.CANCELLED);
            TurnLifecycle.endAsCancelled(draft);
            return;
        }
        Optional<Instant> retryAt = retryAt(draft, call, failure);
        draft.emit(new ModelCallFailed(
                draft.turnMeta(),
                call.callId(),
                draft.turn().step(),
                call.attempt(),
                call.purpose(),
                failure.category(),
                failure.detail(),
                retryAt.orElse(null)));
        if (retryAt.isEmpty()) {
            giveUp(draft, call, failure);
        }
    }

    /** Continues without a transcript, or fails the turn: the call is not retried. */
    private static void giveUp(TurnDraft draft, ModelCall call, ModelFailed failure) {
        if (call.purpose() == ModelRequest.Purpose.TRANSCRIPT) {
            TranscriptionStep.onTranscriptionFailed(draft, call, failure);
        } else {
            appendPartial(draft, failure, FinishReason.ERROR);
            boolean isAnswer = failure.category() == ErrorCategory.INVALID_ANSWER;
            TurnLifecycle.fail(draft, isAnswer ? ErrorCategory.INVALID_REQUEST : failure.category(), failure.detail());
        }
    }

    private static void appendPartial(TurnDraft draft, ModelFailed failure, FinishReason finish) {
        ModelCall call = draft.turn().model();
        boolean reply = call == null || call.purpose() == ModelRequest.Purpose.REPLY;
        if (reply && !failure.partial().isEmpty()) {
            Agent agent = draft.agent();
            var result = new ModelAnswered(
                    failure.callId(),
                    failure.attempt(),
                    failure.partial(),
                    finish,
                    Usage.NONE,
                    agent.provider(),
                    agent.model(),
                    null);
            ModelAnswered checked = GuardrailSteps.checkPartial(draft, result);
            if (!checked.blocks().isEmpty()) {
                appendAnswer(draft, checked, true);
            }
        }
    }

    /** Repeats a model call that was too long after compaction; fails if the context was not shortened. */
    static void resumeAfterCompaction(TurnDraft draft, boolean shorter) {
        ActiveTurn turn = draft.state().active();
        ModelCall call = turn == null ? null : turn.model();
        if (turn == null
                || call == null
                || turn.cancelling() != null
                || !turn.deadline().equals(call.retryAt())) {
            return; // no call waits for compaction
        }
        if (shorter) {
            request(draft, turn.step(), call.attempt() + 1);
        } else {
            TurnLifecycle.fail(
                    draft, ErrorCategory.CONTEXT_TOO_LONG, "the context is too long, and there is no summary of it");
        }
    }

    /** Time of the next attempt; the turn's deadline marks a call that waits for compaction. */
    private static Optional<Instant> retryAt(TurnDraft draft, ModelCall call, ModelFailed failure) {
        if (failure.category() == ErrorCategory.CONTEXT_TOO_LONG
                && call.purpose() == ModelRequest.Purpose.REPLY
                && Compaction.shortenContext(draft)) {
            return Optional.of(draft.turn().deadline());
        }
        int failures = call.failures() + 1;
        boolean isAskedAgain = failure.category() == ErrorCategory.INVALID_ANSWER && call.objection() != null;
        if (isAskedAgain
                || !failure.category().retryable()
                || failures >= draft.agent().limits().modelAttempts()) {
            return Optional.empty();
        }
        Duration wait = failure.retryAfter() == null ? Calls.backoff(call.callId(), failures) : failure.retryAfter();
        Instant retryAt = draft.now().plus(wait);
        return retryAt.isBefore(draft.turn().deadline()) ? Optional.of(retryAt) : Optional.empty();
    }

    private static void retry(TurnDraft draft, ModelCall call) {
        int step = draft.turn().step();
        if (call.purpose() == ModelRequest.Purpose.TRANSCRIPT) {
            TranscriptionStep.request(draft, step, call.callId(), call.recordings(), call.attempt() + 1);
        } else {
            request(draft, step, call.attempt() + 1);
        }
    }

    /** Retries the model call, or counts its lost lease as a failure. */
    static void onDue(TurnDraft draft, ModelCall call) {
        if (call.retryAt() != null
                || call.failures() + 1 < draft.agent().limits().modelAttempts()) {
            retry(draft, call);
        } else {
            var lost = new ModelFailed(
                    call.callId(), call.attempt(), ErrorCategory.LOST, "no worker finished the call", null, List.of());
            fail(draft, call, lost);
        }
    }
}
