package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.turn.CallResult.*;
import dev.parley.domain.turn.SessionState.ActiveTurn;
import dev.parley.domain.turn.SessionState.ModelCall;
import dev.parley.domain.turn.SessionState.PendingSummary;
import dev.parley.domain.turn.SessionState.ToolCall;
import dev.parley.domain.turn.TurnEvent.*;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How model and tool calls are made, and what becomes of their results. */
final class Calls {
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(1);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(1);
    private static final int DEFAULT_ANSWER_TOKENS = 1024;

    private Calls() {}

    static void decide(Draft draft, CallResult result) {
        PendingSummary summary = draft.state().summary();
        if (summary != null && summary.callId().equals(result.callId())) {
            Compaction.decide(draft, summary, result);
            return;
        }
        ActiveTurn turn = draft.state().active();
        if (turn == null) {
            return; // late: whoever asked is gone
        }
        ModelCall model = turn.model();
        if (model != null && model.callId().equals(result.callId())) {
            onModel(draft, model, result);
        } else {
            turn.calls().stream()
                    .filter(call -> call.callId().equals(result.callId()) && !call.status().isFinal())
                    .findFirst()
                    .ifPresent(call -> onTool(draft, call, result));
        }
    }

    // ---- model calls

    /** Makes the model call of this step, unless the session's budget does not reach. */
    static void askModel(Draft draft, int step) {
        for (List<Block> steered : draft.turn().steered()) {
            append(draft, steered);
        }
        Agent agent = draft.agent();
        if (exceedsBudget(draft, agent)) {
            Turns.fail(draft, ErrorCategory.BUDGET, "the next call would exceed the session's budget");
            return;
        }
        ask(draft, step, 1);
    }

    private static void append(Draft draft, List<Block> content) {
        ActiveTurn turn = draft.turn();
        long entry = draft.state().context().next();
        var message = new Message(Role.USER, content, false, null, null);
        draft.emit(new MessageAppended(draft.turnMeta(), turn.nextMessage(), message));
        draft.effect(Effect.keep(entry, turn.turnId(), turn.turn().seq(), message));
    }

    /** What the call may cost is reserved before it is made; what it did cost counts after. */
    private static boolean exceedsBudget(Draft draft, Agent agent) {
        Usage spent = draft.state().spent();
        Integer most = agent.maxTokens();
        long reserved = draft.state().context().tokens() + (most == null ? DEFAULT_ANSWER_TOKENS : most);
        Long tokens = agent.limits().sessionTokens();
        Long cost = agent.limits().sessionCostNanos();
        Long spentCost = spent.costNanos();
        return (tokens != null && spent.tokens() + reserved > tokens)
                || (cost != null && spentCost != null && spentCost >= cost);
    }

    private static void ask(Draft draft, int step, int attempt) {
        ActiveTurn turn = draft.turn();
        Agent agent = draft.agent();
        boolean tools = !turn.lastStep() && step < agent.limits().maxSteps() - 1;
        UUID callId = Ids.of("model", turn.turnId(), step);
        Instant lease = draft.now().plus(TurnMachine.LEASE);
        draft.emit(new ModelRequested(
                draft.turnMeta(), callId, step, attempt, agent.provider(), agent.model(), tools, lease));
        var context = draft.state().context();
        draft.effect(new Effect.AskModel(
                callId, turn.turnId(), step, attempt, ModelRequest.Purpose.REPLY, agent, context.summary(),
                context.from(), context.next(), tools ? Toolset.of(agent, draft.definitions()) : List.of(),
                turn.turn().user(), lease, turn.deadline()));
        if (attempt > 1) {
            draft.effect(new Effect.Show(TurnDelta.of(turn.turnId(), TurnDelta.Kind.RETRY, step, attempt, "")));
        }
    }

    private static void onModel(Draft draft, ModelCall call, CallResult result) {
        switch (result) {
            case ModelAnswered answer -> answered(draft, call, answer);
            case ModelFailed failure when failure.attempt() == call.attempt() -> failed(draft, call, failure);
            case RetryAfter later when later.attempt() == call.attempt() -> delay(draft, call.callId(), later);
            case CallProgress _ -> renew(draft, call.callId());
            case ModelFailed _, RetryAfter _ -> {} // of an attempt that was given up
            case ToolAnswered _, ChildFinished _ -> {} // not an answer to a model call
        }
    }

    private static void answered(Draft draft, ModelCall call, ModelAnswered answer) {
        ActiveTurn turn = draft.turn();
        boolean cancelled = turn.cancelling() != null;
        boolean wantsTools = call.toolsAllowed() && !cancelled && !Message.toolCalls(answer.blocks()).isEmpty();
        said(draft, call, answer, cancelled, wantsTools);
        String text = Message.text(answer.blocks());
        if (cancelled) {
            Turns.cancelled(draft);
            Turns.startNext(draft);
        } else if (answer.finish() == FinishReason.CONTENT_FILTER) {
            Turns.fail(draft, ErrorCategory.CONTENT_FILTER, "the provider's content filter stopped the answer");
        } else if (wantsTools) {
            callTools(draft, Message.toolCalls(answer.blocks()), positions(answer.blocks()));
        } else if (!draft.turn().steered().isEmpty() && call.toolsAllowed()) {
            if (!text.isBlank()) {
                sendMessage(draft, text);
            }
            askModel(draft, turn.step() + 1);
        } else {
            finish(draft, call, answer, text);
        }
    }

    /** Records what the model said; in the context it stands without calls that nobody is going to carry out. */
    private static void said(
            Draft draft, ModelCall call, ModelAnswered answer, boolean interrupted, boolean withCalls) {
        ActiveTurn turn = draft.turn();
        long entry = draft.state().context().next();
        draft.emit(new ModelCalled(
                draft.turnMeta(), call.callId(), turn.step(), answer.attempt(), turn.nextMessage(), answer.blocks(),
                answer.finish(), interrupted, answer.usage(), answer.provider(), answer.model(), answer.raw()));
        var blocks = withCalls ? answer.blocks() : spoken(answer.blocks(), interrupted);
        draft.effect(Effect.keep(
                entry, turn.turnId(), turn.turn().seq(),
                new Message(Role.ASSISTANT, blocks, interrupted, answer.provider(), answer.model())));
    }

    private static List<Block> spoken(List<Block> blocks, boolean interrupted) {
        return blocks.stream()
                .filter(block -> interrupted ? block instanceof Block.Text : !(block instanceof Block.ToolCall))
                .map(block -> interrupted ? Block.text(((Block.Text) block).text()) : block)
                .toList();
    }

    private static void finish(Draft draft, ModelCall call, ModelAnswered answer, String text) {
        boolean cutShort = !call.toolsAllowed() && answer.finish() != FinishReason.ERROR;
        if (answer.finish() == FinishReason.ERROR) {
            Turns.fail(draft, ErrorCategory.SERVER, "the provider ended the answer with an error");
        } else if (cutShort && text.isBlank()) {
            Turns.complete(
                    draft, "I stopped after %d steps without an answer.".formatted(draft.turn().step() + 1),
                    FinishReason.STOP);
        } else {
            Turns.complete(draft, text, answer.finish() == FinishReason.TOOL_CALLS ? FinishReason.STOP : answer.finish());
        }
    }

    private static void failed(Draft draft, ModelCall call, ModelFailed failure) {
        ActiveTurn turn = draft.turn();
        if (turn.cancelling() != null) {
            keepPartial(draft, call, failure, FinishReason.CANCELLED);
            Turns.cancelled(draft);
            Turns.startNext(draft);
            return;
        }
        Optional<Instant> retryAt = retryAt(draft, call, failure);
        draft.emit(new ModelCallFailed(
                draft.turnMeta(), call.callId(), turn.step(), call.attempt(), failure.category(), failure.detail(),
                retryAt.orElse(null)));
        if (retryAt.isEmpty()) {
            keepPartial(draft, call, failure, FinishReason.ERROR);
            Turns.fail(draft, failure.category(), failure.detail());
        }
    }

    private static void keepPartial(Draft draft, ModelCall call, ModelFailed failure, FinishReason finish) {
        if (!failure.partial().isEmpty()) {
            Agent agent = draft.agent();
            said(
                    draft,
                    call,
                    new ModelAnswered(
                            call.callId(), call.attempt(), failure.partial(), finish, Usage.NONE, agent.provider(),
                            agent.model(), null),
                    true,
                    false);
        }
    }

    private static Optional<Instant> retryAt(Draft draft, ModelCall call, ModelFailed failure) {
        if (!failure.category().retryable() || call.attempt() >= draft.agent().limits().modelAttempts()) {
            return Optional.empty();
        }
        Duration wait = failure.retryAfter() == null ? backoff(call.callId(), call.attempt()) : failure.retryAfter();
        Instant at = draft.now().plus(wait);
        return at.isBefore(draft.turn().deadline()) ? Optional.of(at) : Optional.empty();
    }

    /** Doubles with each attempt, and spreads by up to a half; the id decides, so that a replay decides alike. */
    static Duration backoff(UUID callId, int attempt) {
        long millis = Math.min(FIRST_BACKOFF.toMillis() << Math.min(attempt - 1, 10), MAX_BACKOFF.toMillis());
        long spread = Math.floorMod(Ids.of(callId, attempt).getLeastSignificantBits(), millis / 2 + 1);
        return Duration.ofMillis(millis / 2 + spread);
    }

    private static void delay(Draft draft, UUID callId, RetryAfter later) {
        Duration wait = later.delay().isNegative() ? Duration.ZERO : later.delay();
        draft.emit(new CallDelayed(
                draft.turnMeta(), callId, later.attempt(), draft.now().plus(wait), later.reason()));
    }

    private static void renew(Draft draft, UUID callId) {
        draft.emit(new LeaseRenewed(draft.meta(null), callId, draft.now().plus(TurnMachine.LEASE)));
    }

    /** The model call is to be made again, or nobody has it any more. */
    static void modelDue(Draft draft, ModelCall call) {
        if (call.retryAt() != null || call.attempt() < draft.agent().limits().modelAttempts()) {
            ask(draft, draft.turn().step(), call.attempt() + 1);
        } else {
            failed(
                    draft,
                    call,
                    new ModelFailed(
                            call.callId(), call.attempt(), ErrorCategory.LOST, "no worker finished the call", null,
                            List.of()));
        }
    }

    // ---- tool calls

    /** The place of each tool call's part in its message; the first part marks the step's start. */
    private static List<Integer> positions(List<Block> blocks) {
        return java.util.stream.IntStream.range(0, blocks.size())
                .filter(i -> blocks.get(i) instanceof Block.ToolCall)
                .mapToObj(i -> i + 1)
                .toList();
    }

    private static void callTools(Draft draft, List<Block.ToolCall> calls, List<Integer> parts) {
        boolean loops = draft.turn().lastStep();
        for (int i = 0; i < calls.size(); i++) {
            callTool(draft, calls.get(i), i, parts.get(i), loops);
        }
        advance(draft);
    }

    private static void callTool(Draft draft, Block.ToolCall block, int index, int part, boolean loops) {
        ActiveTurn turn = draft.turn();
        UUID callId = Ids.of("tool", turn.turnId(), turn.step(), index);
        Optional<String> refusal = loops ? Optional.of(looping(turn)) : refusal(draft, block, index);
        Optional<Delegation> delegation = refusal.isEmpty() && block.name().equals(ToolSpec.DELEGATE)
                ? Optional.of(Delegation.of(draft, block.arguments()))
                : Optional.empty();
        Instant deadline = earlier(draft.now().plus(timeout(draft, block)), turn.deadline());
        draft.emit(new ToolRequested(
                draft.turnMeta(), callId, turn.step(), index, 1, turn.nextMessage() - 1, part, block.id(), block.name(),
                block.arguments(), delegation.map(Delegation::child).orElse(null),
                draft.now().plus(TurnMachine.LEASE), deadline));
        show(draft, TurnDelta.Kind.TOOL_CALL, block.arguments(), block.name(), block.id());
        ToolCall call = draft.turn().calls().getLast();
        if (refusal.isPresent()) {
            toolEnded(draft, call, ToolStatus.ERROR, "error: " + refusal.get());
        } else if (delegation.isPresent()) {
            delegate(draft, call, delegation.get());
        } else if (block.name().equals(ToolSpec.MESSAGE)) {
            message(draft, call);
        } else {
            draft.effect(new Effect.AskTool(request(draft, call)));
        }
    }

    private static String looping(ActiveTurn turn) {
        return "the same call was made %d times in a row; answer with what you know".formatted(turn.repeats());
    }

    private static Optional<String> refusal(Draft draft, Block.ToolCall call, int index) {
        if (index >= TurnMachine.MAX_PARALLEL) {
            return Optional.of("at most %d calls at once".formatted(TurnMachine.MAX_PARALLEL));
        }
        var known = Toolset.of(draft.agent(), draft.definitions());
        if (known.stream().noneMatch(tool -> tool.name().equals(call.name()))) {
            String names = known.stream().map(ToolSpec::name).collect(Collectors.joining(", "));
            return Optional.of("there is no tool '" + call.name() + "'; there are " + names);
        }
        return Optional.empty();
    }

    private static Duration timeout(Draft draft, Block.ToolCall call) {
        return draft.definitions().tools().stream()
                .filter(tool -> tool.name().equals(call.name()))
                .map(ToolSpec::timeout)
                .findFirst()
                .orElse(draft.agent().limits().turnTimeout());
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    private static void delegate(Draft draft, ToolCall call, Delegation delegation) {
        if (delegation.child() == null) {
            toolEnded(draft, call, ToolStatus.ERROR, "error: " + delegation.refusal());
        } else {
            draft.effect(new Effect.Send(delegation.child(), delegation.submit(draft, call)));
        }
    }

    private static void message(Draft draft, ToolCall call) {
        String text = Arguments.of(call.arguments()).map(arguments -> arguments.text("text")).orElse("");
        if (text.isBlank()) {
            toolEnded(draft, call, ToolStatus.ERROR, "error: message needs {\"text\": …}");
        } else if (draft.turn().turn().parent() != null) {
            toolEnded(draft, call, ToolStatus.COMPLETED, text);
        } else {
            sendMessage(draft, text);
            toolEnded(draft, call, ToolStatus.COMPLETED, "sent");
        }
    }

    private static void sendMessage(Draft draft, String text) {
        ActiveTurn turn = draft.turn();
        String ref = "message " + draft.state().lastSeq();
        draft.emit(new MessageSent(draft.turnMeta(), turn.nextMessage() - 1, text));
        Turns.deliver(draft, turn, Reply.Kind.MESSAGE, text, ref);
        show(draft, TurnDelta.Kind.MESSAGE, text, null, null);
    }

    private static ToolRequest request(Draft draft, ToolCall call) {
        ActiveTurn turn = draft.turn();
        var session = draft.state().open();
        return new ToolRequest(
                call.callId(), session.host(), session.sessionId(), turn.turnId(), turn.step(), call.index(),
                call.attempt(), turn.turn().agent(), call.name(), call.arguments(), turn.turn().user(),
                call.leaseUntil(), call.deadline());
    }

    private static void onTool(Draft draft, ToolCall call, CallResult result) {
        switch (result) {
            case ToolAnswered answer when call.child() == null -> {
                toolEnded(draft, call, answer.status(), answer.content());
                advance(draft);
            }
            case ChildFinished child when call.child() != null -> {
                boolean answered = child.state() == TurnState.COMPLETED;
                String content = answered ? child.reply() : "error: " + child.reply();
                toolEnded(draft, call, answered ? ToolStatus.COMPLETED : ToolStatus.ERROR, content);
                advance(draft);
            }
            case RetryAfter later when later.attempt() == call.attempt() -> delay(draft, call.callId(), later);
            case CallProgress _ -> renew(draft, call.callId());
            case RetryAfter _, ToolAnswered _, ChildFinished _ -> {} // of a past attempt, or not an answer to this call
            case ModelAnswered _, ModelFailed _ -> {} // not an answer to a tool call
        }
    }

    /** Gives the call its one result. */
    static void toolEnded(Draft draft, ToolCall call, ToolStatus status, String content) {
        ActiveTurn turn = draft.turn();
        draft.emit(new ToolCalled(
                draft.turnMeta(), call.callId(), turn.step(), call.index(), call.attempt(), call.message(), call.part(),
                call.toolCallId(), call.name(), status, content));
        draft.effect(Effect.keep(
                call.entry(), turn.turnId(), turn.turn().seq(),
                Message.toolResult(call.toolCallId(), content, status != ToolStatus.COMPLETED)));
        show(draft, TurnDelta.Kind.TOOL_RESULT, content, call.name(), call.toolCallId());
    }

    /** The tool call is to be made again, took too long, or nobody has it any more. */
    static void toolDue(Draft draft, ToolCall call) {
        if (TurnMachine.isDue(call.deadline(), draft)) {
            Turns.stop(draft, call);
            toolEnded(draft, call, ToolStatus.ERROR, "error: the tool did not answer in time");
            advance(draft);
        } else if (call.retryAt() != null || call.attempt() < TurnMachine.TOOL_ATTEMPTS) {
            askAgain(draft, call);
        } else {
            toolEnded(draft, call, ToolStatus.ERROR, "error: the call was lost");
            advance(draft);
        }
    }

    private static void askAgain(Draft draft, ToolCall call) {
        draft.emit(new ToolRequested(
                draft.turnMeta(), call.callId(), draft.turn().step(), call.index(), call.attempt() + 1, call.message(),
                call.part(), call.toolCallId(), call.name(), call.arguments(), null,
                draft.now().plus(TurnMachine.LEASE), call.deadline()));
        draft.turn().calls().stream()
                .filter(again -> again.callId().equals(call.callId()))
                .forEach(again -> draft.effect(new Effect.AskTool(request(draft, again))));
    }

    /** Goes on with the next step once every call has its result. */
    private static void advance(Draft draft) {
        ActiveTurn turn = draft.turn();
        if (turn.calls().stream().allMatch(call -> call.status().isFinal())) {
            askModel(draft, turn.step() + 1);
        }
    }

    private static void show(
            Draft draft, TurnDelta.Kind kind, String text, @Nullable String tool, @Nullable String toolCallId) {
        ActiveTurn turn = draft.turn();
        draft.effect(new Effect.Show(new TurnDelta(turn.turnId(), kind, turn.step(), 0, text, tool, toolCallId, null)));
    }
}
