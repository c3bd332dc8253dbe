package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Guardrail;
import dev.parley.domain.definition.GuardrailAction;
import dev.parley.domain.definition.GuardrailStage;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.memory.reflect.DirectiveCheck;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.Check;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.MessageTexts;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.turn.answer.ToolArguments;
import dev.parley.domain.turn.answer.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Guardrail checks of a turn's inputs and of the model's answers, one guardrail after the other. A text is published
 * only after all of them have passed it. While a guardrail's tool runs, the turn waits, and the text exists in the
 * session's state only.
 */
final class GuardrailSteps {
    /** Maximum guardrail tool calls of a turn; a guardrail that would exceed it counts as failed. */
    static final int MAX_TOOL_CALLS = 100;

    /** Replaces a message that is withheld from models. */
    static final String WITHHELD = "(a guardrail withheld this message)";

    private GuardrailSteps() {}

    /** Progress of a check. */
    private sealed interface Progress {
        /** All guardrails have passed. */
        record Passed(Check at) implements Progress {}

        record Blocked(Check at, Guardrail rail) implements Progress {}

        /** A guardrail's tool must be called first. */
        record NeedsTool(Check at, Guardrail rail) implements Progress {}
    }

    /** The result of matching a guardrail's pattern. */
    private sealed interface Match {
        record None() implements Match {}

        /** The text with each match replaced. */
        record Found(String rewritten) implements Match {}

        /** The pattern is invalid, or matching takes too long. */
        record Failed() implements Match {}
    }

    private static List<Guardrail> guardrails(TurnDraft draft, GuardrailStage stage) {
        List<Guardrail> agentGuardrails = draft.agent().guardrails(stage);
        List<Guardrail> directives =
                stage == GuardrailStage.OUTPUT ? MemorySteps.directiveGuardrails(draft) : List.of();
        return directives.isEmpty()
                ? agentGuardrails
                : Stream.concat(directives.stream(), agentGuardrails.stream()).toList();
    }

    /** Whether the model call of this step waits for a guardrail's tool, or is not made at all. */
    static boolean startInputChecks(TurnDraft draft, int step) {
        Optional<List<Block>> next = nextUncheckedMessage(draft);
        while (next.isPresent()) {
            Optional<Check> passed = check(draft, Check.ofInput(step, next.get()));
            if (passed.isEmpty()) {
                return true;
            }
            emitChecked(draft, passed.get().blocks());
            next = nextUncheckedMessage(draft);
        }
        return false;
    }

    /** The turn's first unchecked message. */
    private static Optional<List<Block>> nextUncheckedMessage(TurnDraft draft) {
        ActiveTurn turn = draft.turn();
        return guardrails(draft, GuardrailStage.INPUT).isEmpty()
                ? Optional.empty()
                : turn.input(turn.guarded().passed());
    }

    private static void emitChecked(TurnDraft draft, List<Block> blocks) {
        ActiveTurn turn = draft.turn();
        int message = turn.guarded().passed();
        var content =
                blocks.stream().allMatch(Block::isBlank) ? withheldContent() : blocks; // models reject empty messages
        boolean isUnchanged = content.equals(turn.input(message).orElseThrow());
        draft.emit(new InputChecked(draft.turnMeta(), message, isUnchanged ? null : content));
    }

    /** Checks the remaining messages of an ending turn by patterns; those that need a tool are withheld. */
    private static void checkRemaining(TurnDraft draft) {
        Optional<List<Block>> next = nextUncheckedMessage(draft);
        while (next.isPresent()) {
            emitChecked(
                    draft,
                    checkByPatterns(draft, Check.ofInput(draft.turn().step(), next.get()))
                            .map(Check::blocks)
                            .orElse(withheldContent()));
            next = nextUncheckedMessage(draft);
        }
    }

    /** Withholds an unchecked message of a turn that never started. */
    static void withhold(TurnDraft draft, QueuedTurn turn) {
        if (!draft.agent(turn.agent(), "").guardrails(GuardrailStage.INPUT).isEmpty()) {
            draft.emit(new TurnRevised(draft.meta(turn.turnId()), withheldContent()));
        }
    }

    private static List<Block> withheldContent() {
        return List.of(Block.text(WITHHELD));
    }

    /** Checks a model's answer, and continues at once or when the guardrail tools have decided. */
    static void checkAnswer(TurnDraft draft, ModelAnswered answer) {
        check(draft, outputCheck(draft, answer)).ifPresent(passed -> publish(draft, passed));
    }

    /** The part of an incomplete answer that patterns alone can pass; empty if they cannot. */
    static ModelAnswered checkPartial(TurnDraft draft, ModelAnswered answer) {
        return checkByPatterns(draft, outputCheck(draft, answer))
                .map(Check::checkedAnswer)
                .orElseGet(() -> answer.withContent(List.of(), null));
    }

    /** Reasoning and provider-only items are kept only if patterns alone decide and find nothing in them. */
    private static Check outputCheck(TurnDraft draft, ModelAnswered answer) {
        var rails = guardrails(draft, GuardrailStage.OUTPUT);
        boolean clean = rails.stream().allMatch(rail -> isClean(draft, rail, answer));
        ModelAnswered visible = clean ? answer : answer.withContent(MessageTexts.bare(answer.blocks()), null);
        return Check.ofOutput(draft.turn().step(), visible);
    }

    private static boolean isClean(TurnDraft draft, Guardrail rail, ModelAnswered answer) {
        if (rail.directive() != null) { // items of providers only repeat text and reasoning
            Directive directive = rail.directive();
            return answer.blocks().stream()
                    .noneMatch(block -> block instanceof Block.Thinking thinking
                            && DirectiveCheck.discloses(thinking.text(), directive));
        }
        return rail.pattern() != null
                && !MessageTexts.hides(answer.blocks(), text -> isFound(draft, rail, text))
                && (answer.raw() == null || !isFound(draft, rail, answer.raw()));
    }

    private static boolean isFound(TurnDraft draft, Guardrail rail, String text) {
        return text.length() > Agent.MAX_GUARDED_LENGTH || !(match(draft, rail, text, false) instanceof Match.None);
    }

    private static void publish(TurnDraft draft, Check check) {
        ModelAnswered answer = check.checkedAnswer();
        String text = Message.text(answer.blocks());
        if (!guardrails(draft, GuardrailStage.OUTPUT).isEmpty() && !text.isEmpty()) { // its tokens were not streamed
            draft.effect(new TurnEffect.PublishDelta(TurnDelta.of(
                    draft.turn().turnId(), TurnDelta.Kind.TOKEN, draft.turn().step(), answer.attempt(), text)));
        }
        ModelCalls.accept(draft, answer);
    }

    /** @return the passed check; empty if a tool was called, or the turn has ended */
    private static Optional<Check> check(TurnDraft draft, Check from) {
        return switch (run(draft, from)) {
            case Progress.Passed passed -> Optional.of(passed.at());
            case Progress.NeedsTool needsTool -> {
                callTool(draft, needsTool.at(), needsTool.rail());
                yield Optional.empty();
            }
            case Progress.Blocked blocked -> {
                block(draft, blocked.at(), blocked.rail());
                yield Optional.empty();
            }
        };
    }

    /** @return the passed check; empty if it is blocked, or needs a tool */
    private static Optional<Check> checkByPatterns(TurnDraft draft, Check from) {
        return switch (run(draft, from)) {
            case Progress.Passed passed -> Optional.of(passed.at());
            case Progress.NeedsTool needsTool -> {
                emitApplied(draft, needsTool.at(), needsTool.rail(), GuardrailAction.BLOCK, "not_asked");
                yield Optional.empty();
            }
            case Progress.Blocked _ -> Optional.empty();
        };
    }

    private static Progress run(TurnDraft draft, Check from) {
        var rails = guardrails(draft, from.stage());
        Check current = from;
        while (current.hasNext()) {
            if (current.guard() >= rails.size() || current.text().isBlank()) {
                current = current.nextPiece();
                continue;
            }
            Guardrail rail = rails.get(current.guard());
            Optional<Verdict> verdict = verdict(draft, current, rail);
            if (verdict.isEmpty()) {
                return new Progress.NeedsTool(current, rail);
            }
            if (apply(draft, current, rail, verdict.get()) == GuardrailAction.BLOCK) {
                return new Progress.Blocked(current, rail);
            }
            current = current.next(verdict.get().rewritten());
        }
        return new Progress.Passed(current);
    }

    /** The verdict of a guardrail without a tool. */
    private static Optional<Verdict> verdict(TurnDraft draft, Check check, Guardrail rail) {
        if (check.text().length() > Agent.MAX_GUARDED_LENGTH) {
            return Optional.of(Verdict.undecided(rail, "too_long"));
        }
        if (rail.directive() != null) {
            return Optional.of(
                    breaks(check, rail.directive()) ? Verdict.undecided(rail, "directive") : Verdict.ALLOWED);
        }
        if (rail.tool() == null) {
            return Optional.of(verdictByPattern(draft, check, rail));
        }
        if (draft.definitions().tool(rail.tool(), null).isEmpty()) {
            return Optional.of(Verdict.undecided(rail, "unknown_tool"));
        }
        return draft.turn().guarded().asked() < MAX_TOOL_CALLS
                ? Optional.empty()
                : Optional.of(Verdict.undecided(rail, "too_many_calls"));
    }

    private static Verdict verdictByPattern(TurnDraft draft, Check check, Guardrail rail) {
        return switch (match(draft, rail, check.text(), check.isArguments())) {
            case Match.None _ -> Verdict.ALLOWED;
            case Match.Found found -> new Verdict(rail.action(), found.rewritten(), "pattern");
            case Match.Failed _ -> Verdict.undecided(rail, "too_slow");
        };
    }

    /** Of tool arguments, only the text of a message to the user is checked. */
    private static boolean breaks(Check check, Directive directive) {
        boolean isAnswer = Message.toolCalls(check.blocks()).isEmpty();
        if (!check.isArguments()) {
            return isAnswer
                    ? DirectiveCheck.breaks(check.text(), directive)
                    : DirectiveCheck.discloses(check.text(), directive);
        }
        return ToolSpec.MESSAGE.equals(check.toolName())
                && DirectiveCheck.discloses(
                        ToolArguments.of(check.text())
                                .map(arguments -> arguments.text("text"))
                                .orElse(check.text()),
                        directive);
    }

    /** @param json whether the text is JSON whose names, strings and numbers are matched */
    private static Match match(TurnDraft draft, Guardrail rail, String text, boolean json) {
        try {
            return (json
                            ? ToolArguments.replaceTexts(text, part -> replaceMatches(draft, rail, part))
                            : replaceMatches(draft, rail, text))
                    .<Match>map(Match.Found::new)
                    .orElseGet(Match.None::new);
        } catch (IllegalArgumentException e) {
            return new Match.Failed();
        }
    }

    private static Optional<String> replaceMatches(TurnDraft draft, Guardrail rail, String text) {
        String pattern = Objects.requireNonNull(rail.pattern());
        return draft.decisionContext().patterns().replaceAll(pattern, text, rail.replacement());
    }

    private static GuardrailAction apply(TurnDraft draft, Check check, Guardrail rail, Verdict verdict) {
        if (!verdict.equals(Verdict.ALLOWED)) {
            emitApplied(draft, check, rail, verdict.action(), verdict.reason());
        }
        return verdict.action();
    }

    private static void emitApplied(
            TurnDraft draft, Check check, Guardrail rail, GuardrailAction action, String reason) {
        draft.emit(new GuardrailApplied(draft.turnMeta(), check.stage(), check.step(), rail.name(), action, reason));
    }

    /** Ends the turn with the guardrail's message as its reply. */
    private static void block(TurnDraft draft, Check check, Guardrail rail) {
        ModelAnswered answer = check.answer();
        var message = Message.text(Role.ASSISTANT, rail.message());
        if (answer != null) {
            ModelCalls.appendAnswer(
                    draft, answer.withContent(message.blocks(), null).withFinish(FinishReason.CONTENT_FILTER), false);
        } else {
            emitChecked(draft, withheldContent());
            checkRemaining(draft);
            ModelCalls.appendSteered(draft);
            draft.emit(new MessageAppended(draft.turnMeta(), draft.turn().nextMessage(), message));
        }
        TurnLifecycle.complete(draft, rail.message(), List.of(), FinishReason.CONTENT_FILTER);
    }

    private static void callTool(TurnDraft draft, Check check, Guardrail rail) {
        ActiveTurn turn = draft.turn();
        ToolSpec tool = draft.definitions()
                .tool(Objects.requireNonNull(rail.tool()), null)
                .orElseThrow();
        Instant end = draft.now().plus(tool.timeout());
        String arguments = ToolArguments.json(
                "stage", check.stage().code(), "agent", turn.turn().agent(), "text", check.text());
        UUID callId = Ids.of("guardrail", turn.turnId(), turn.guarded().asked(), arguments);
        Instant lease = draft.now().plus(TurnMachine.LEASE);
        Instant deadline = end.isBefore(turn.deadline()) ? end : turn.deadline();
        callTool(
                draft,
                check.withToolCall(
                        rail.name(),
                        ToolCall.ofMachine(callId, tool.name(), tool.version(), arguments, lease, deadline)));
    }

    private static void callTool(TurnDraft draft, Check check) {
        draft.emit(new GuardrailAsked(draft.turnMeta(), check));
        ToolCalls.request(draft, check.toolCall());
    }

    static void decide(TurnDraft draft, Check check, CallResult result) {
        ToolCall call = check.toolCall();
        boolean current = call.awaits(result);
        switch (result) {
            case ToolAnswered answer
            when answer.status().isFinal() ->
                onToolDecided(draft, check, rail -> Verdict.of(rail, check.text(), answer));
            case RetryAfter retryAfter when current -> Calls.delay(draft, retryAfter);
            case CallProgress _ when current && Calls.isLostPastDeadline(draft, call) -> onDue(draft, check);
            case CallProgress _ when current -> Calls.renewLease(draft, call.callId());
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

    private static void onToolDecided(TurnDraft draft, Check check, Function<Guardrail, Verdict> toVerdict) {
        var rails = guardrails(draft, check.stage());
        boolean exists =
                check.guard() < rails.size() && rails.get(check.guard()).name().equals(check.guardrail());
        Progress progress;
        if (!exists && !rails.isEmpty()) {
            // The pinned version of the agent no longer exists, and the current one has other guardrails.
            progress = run(draft, check.restart());
        } else {
            Guardrail rail = exists ? rails.get(check.guard()) : missing(check);
            Verdict verdict = toVerdict.apply(rail);
            progress = apply(draft, check, rail, verdict) == GuardrailAction.BLOCK
                    ? new Progress.Blocked(check, rail)
                    : run(draft, check.next(verdict.rewritten()));
        }
        proceed(draft, progress);
    }

    /** Placeholder for a guardrail that the agent no longer has: it counts as failed. */
    private static Guardrail missing(Check check) {
        String name = check.guardrail();
        return new Guardrail(
                name, List.of(check.stage()), null, name, GuardrailAction.BLOCK, "", Guardrail.MESSAGE, false);
    }

    private static void proceed(TurnDraft draft, Progress progress) {
        switch (progress) {
            case Progress.NeedsTool needsTool -> callTool(draft, needsTool.at(), needsTool.rail());
            case Progress.Blocked blocked -> block(draft, blocked.at(), blocked.rail());
            case Progress.Passed passed when passed.at().answer() != null -> publish(draft, passed.at());
            case Progress.Passed passed -> {
                emitChecked(draft, passed.at().blocks());
                ModelCalls.request(draft, passed.at().step());
            }
        }
    }

    /** Retries the call, or fails it at its deadline or when its lease is lost. */
    static void onDue(TurnDraft draft, Check check) {
        ToolCall call = check.toolCall();
        if (TurnMachine.isDue(call.deadline(), draft) && !Calls.isLostPastDeadline(draft, call)) {
            draft.effect(new TurnEffect.CancelTool(call.callId()));
            onToolDecided(draft, check, rail -> Verdict.undecided(rail, "timeout"));
        } else if (call.retryAt() != null || call.failures() + 1 < TurnMachine.TOOL_ATTEMPTS) {
            Instant lease = draft.now().plus(TurnMachine.LEASE);
            callTool(
                    draft,
                    check.withToolCall(
                            check.guardrail(), call.retry(call.attempt() + 1, lease, Calls.nextDeadline(draft, call))));
        } else {
            onToolDecided(draft, check, rail -> Verdict.undecided(rail, "lost"));
        }
    }

    /** Withholds undecided texts of an ending turn. */
    static void endChecks(TurnDraft draft) {
        Check check = draft.turn().guarded().check();
        if (check != null) {
            draft.effect(new TurnEffect.CancelTool(check.toolCall().callId()));
        }
        if (check != null && check.answer() != null) {
            ModelCalls.appendAnswer(
                    draft, check.answer().withContent(List.of(), null).withFinish(FinishReason.CANCELLED), true);
        }
        checkRemaining(draft);
    }
}
