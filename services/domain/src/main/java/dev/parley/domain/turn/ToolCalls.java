package dev.parley.domain.turn;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Patch;
import dev.parley.domain.definition.SkillArguments;
import dev.parley.domain.definition.SkillTool;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.definition.Toolset;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CallResult.*;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.turn.answer.ToolArguments;
import dev.parley.domain.turn.answer.UsableAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Tool calls of an answer: dispatched in parallel; each gets exactly one result. */
final class ToolCalls {
    private static final String ERROR_PREFIX = "error: ";

    private ToolCalls() {}

    static void startAll(TurnDraft draft, UsableAnswer answer) {
        boolean loops = draft.turn().lastStep();
        int index = 0;
        for (int i = 0; i < answer.blocks().size(); i++) {
            if (answer.blocks().get(i) instanceof Block.ToolCall block) {
                // the first block of a message marks the start of its step
                start(draft, block, index++, i + 1, loops);
            }
        }
        CallerCalls.publish(draft);
        advance(draft);
    }

    private static void start(TurnDraft draft, Block.ToolCall block, int index, int part, boolean loops) {
        Toolset tools = Disclosures.tools(draft); // an earlier call of this step may have changed them
        Optional<Toolset.Offer> offer = tools.find(block.name());
        Optional<String> refusal = loops ? Optional.of(loopRefusal(draft.turn())) : refusal(draft, tools, block, index);
        boolean delegates = refusal.isEmpty() && block.name().equals(ToolSpec.DELEGATE);
        Delegation delegation = delegates ? Delegation.of(draft, block.arguments()) : null;
        if (delegation != null && delegation.child() == null) {
            refusal = Optional.of(delegation.refusal());
        }
        ToolCall call = emitRequested(draft, block, index, part, delegation, offer);
        if (refusal.isPresent()) {
            reject(draft, call, refusal.get());
        } else {
            Approvals.authorize(draft, call, offer.orElseThrow());
        }
    }

    /** Executes a permitted call. */
    static void execute(TurnDraft draft, ToolCall call) {
        if (call.child() != null) {
            var delegation = Delegation.to(call.child(), call.arguments());
            draft.effect(new TurnEffect.SendCommand(call.child(), delegation.submit(draft, call)));
        } else if (!call.isCallers()) { // otherwise the caller returns its result
            executeTool(draft, call);
        }
    }

    private static void executeTool(TurnDraft draft, ToolCall call) {
        switch (call.name()) {
            case ToolSpec.MESSAGE -> sendOwnMessage(draft, call);
            case ToolSpec.TODO_WRITE -> executeHere(draft, call, Todos::write);
            case ToolSpec.TODO_READ ->
                complete(
                        draft,
                        call,
                        ToolStatus.COMPLETED,
                        Todos.json(draft.state().todos()));
            case ToolSpec.REMIND -> executeHere(draft, call, Reminders::set);
            case ToolSpec.REMINDERS -> executeHere(draft, call, Reminders::list);
            case ToolSpec.ASK_OPERATOR -> executeHere(draft, call, Handoffs::ask);
            case ToolSpec.LOAD_SKILL -> executeHere(draft, call, Disclosures::load);
            case ToolSpec.UNLOAD_SKILL -> executeHere(draft, call, Disclosures::unload);
            default -> request(draft, call);
        }
    }

    /** Rejects the call with a reason for the model. */
    static void reject(TurnDraft draft, ToolCall call, String reason) {
        complete(draft, call, ToolStatus.ERROR, ERROR_PREFIX + reason);
    }

    private static ToolCall emitRequested(
            TurnDraft draft,
            Block.ToolCall block,
            int index,
            int part,
            @Nullable Delegation delegation,
            Optional<Toolset.Offer> offer) {
        ActiveTurn turn = draft.turn();
        Instant deadline = deadline(draft, offer);
        draft.emit(new ToolRequested(
                draft.turnMeta(),
                callId(turn, block, index),
                turn.step(),
                index,
                1,
                turn.nextMessage() - 1,
                part,
                block.id(),
                block.name(),
                arguments(block, offer),
                offer.map(found -> found.spec().version()).orElse(""),
                delegation == null ? null : delegation.child(),
                isCallers(offer) ? deadline : draft.now().plus(TurnMachine.LEASE),
                deadline));
        Calls.publish(draft, TurnDelta.Kind.TOOL_CALL, block.arguments(), block.name(), block.id());
        return draft.turn().calls().getLast();
    }

    /** An uncommitted step is repeated, and its model may make a different call at the same position. */
    private static UUID callId(ActiveTurn turn, Block.ToolCall block, int index) {
        return Ids.of("tool", turn.turnId(), turn.step(), index, block.name(), block.arguments());
    }

    private static String arguments(Block.ToolCall block, Optional<Toolset.Offer> offer) {
        return offer.map(Toolset.Offer::link)
                .map(link -> SkillArguments.addTo(block.arguments(), link))
                .orElse(block.arguments());
    }

    private static boolean isCallers(Optional<Toolset.Offer> offer) {
        return offer.map(Toolset.Offer::spec).filter(ToolSpec::isCallers).isPresent();
    }

    private static String loopRefusal(ActiveTurn turn) {
        return "the same call was made %d times in a row; answer with what you know".formatted(turn.repeats());
    }

    private static Optional<String> refusal(TurnDraft draft, Toolset tools, Block.ToolCall call, int index) {
        if (index > 0 && !draft.agent().callsInParallel()) {
            return Optional.of("make one call at a time");
        }
        if (index >= TurnMachine.MAX_PARALLEL) {
            return Optional.of("at most %d calls at once".formatted(TurnMachine.MAX_PARALLEL));
        }
        Optional<Toolset.Offer> offer = tools.find(call.name());
        if (offer.isEmpty()) {
            return Optional.of(tools.unknown(call.name()));
        }
        if (offer.get().spec().isCallers()) {
            return CallerCalls.argumentErrors(draft, offer.get().spec(), call.arguments());
        }
        SkillTool link = offer.get().link();
        return link != null && SkillArguments.isUnclear(call.arguments(), link)
                ? Optional.of("the arguments are not a JSON object")
                : Optional.empty();
    }

    /** A tool's own timeout; for a delegate, the turn's deadline; callers are waited for beyond that. */
    private static Instant deadline(TurnDraft draft, Optional<Toolset.Offer> offer) {
        if (isCallers(offer)) {
            return draft.now().plus(ToolSpec.CALLER_TIMEOUT);
        }
        Instant end = draft.turn().deadline();
        Duration remaining = Duration.between(draft.now(), end);
        return offer.map(Toolset.Offer::spec)
                .filter(tool -> !ToolSpec.OWN.contains(tool.name()))
                .filter(tool -> tool.timeout().compareTo(remaining) < 0)
                .map(tool -> draft.now().plus(tool.timeout()))
                .orElse(end);
    }

    private static void sendOwnMessage(TurnDraft draft, ToolCall call) {
        String text = ToolArguments.orEmpty(call.arguments()).text("text");
        if (text.isBlank()) {
            complete(draft, call, ToolStatus.ERROR, "error: message needs {\"text\": …}");
        } else if (draft.turn().turn().isDelegate()) {
            complete(draft, call, ToolStatus.COMPLETED, text);
        } else {
            sendMessage(draft, text);
            complete(draft, call, ToolStatus.COMPLETED, "sent");
        }
    }

    /**
     * Executes a call that changes what the model sees.
     *
     * @param change returns the result for the model, or throws with the reason
     */
    private static void executeHere(TurnDraft draft, ToolCall call, BiFunction<TurnDraft, ToolCall, String> change) {
        String result;
        try {
            result = change.apply(draft, call);
        } catch (IllegalArgumentException e) {
            complete(draft, call, ToolStatus.ERROR, ERROR_PREFIX + e.getMessage());
            return;
        }
        complete(draft, call, ToolStatus.COMPLETED, result);
    }

    /** Sends a text to the user during the turn. */
    static void sendMessage(TurnDraft draft, String text) {
        ActiveTurn turn = draft.turn();
        String ref = "message " + draft.state().lastSeq();
        draft.emit(new MessageSent(draft.turnMeta(), turn.nextMessage() - 1, text));
        TurnLifecycle.deliver(draft, turn, Reply.Kind.MESSAGE, text, List.of(), ref);
        Calls.publish(draft, TurnDelta.Kind.MESSAGE, text, null, null);
    }

    /** Sends files to the user during the turn. */
    static void sendFiles(TurnDraft draft, List<Block.File> files) {
        if (!files.isEmpty()) {
            String ref = "files " + draft.state().lastSeq();
            TurnLifecycle.deliver(draft, draft.turn(), Reply.Kind.MESSAGE, "", files, ref);
        }
    }

    /** Requests a worker to execute the call. */
    static void request(TurnDraft draft, ToolCall call) {
        if (call.name().equals(ToolSpec.MEMORY_REFLECT) || call.name().equals(ToolSpec.MEMORY_RETAIN)) {
            MemorySteps.recordRetention(draft);
        }
        draft.effect(new TurnEffect.RequestTool(toolRequest(draft, call)));
    }

    private static ToolRequest toolRequest(TurnDraft draft, ToolCall call) {
        ActiveTurn turn = draft.turn();
        var session = draft.state().open();
        return new ToolRequest(
                call.callId(),
                session.host(),
                session.sessionId(),
                turn.turnId(),
                turn.turn().top(),
                turn.step(),
                call.index(),
                call.attempt(),
                turn.turn().agent(),
                call.name(),
                call.version(),
                call.arguments(),
                turn.turn().user(),
                call.leaseUntil(),
                call.deadline(),
                MemorySteps.banks(draft),
                MemorySteps.reader(draft, call));
    }

    static void decide(TurnDraft draft, ToolCall call, CallResult result) {
        if (call.approval() != null || call.isCallers()) {
            return; // no worker executes it
        }
        boolean current = call.child() == null && call.awaits(result);
        switch (result) {
            case ToolAnswered answer
            when call.child() == null && answer.status().isFinal() -> accept(draft, call, answer);
            case ChildFinished child when call.child() != null -> childFinished(draft, call, child);
            case RetryAfter retryAfter when current -> Calls.delay(draft, retryAfter);
            case CallProgress _ when current && Calls.isLostPastDeadline(draft, call) -> retry(draft, call);
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

    private static void childFinished(TurnDraft draft, ToolCall call, ChildFinished child) {
        if (child.state() == TurnState.COMPLETED) {
            accept(draft, call, new ToolAnswered(call.callId(), 1, ToolStatus.COMPLETED, child.reply()));
        } else {
            String reason = child.reply().isBlank() ? "the agent's turn was cancelled" : child.reply();
            accept(draft, call, new ToolAnswered(call.callId(), 1, ToolStatus.ERROR, reason));
        }
    }

    /** Accepts the result of a call executed by the turn's caller. */
    static void acceptCallerResult(TurnDraft draft, ToolCall call, String content, boolean failed) {
        ToolStatus status = failed ? ToolStatus.ERROR : ToolStatus.COMPLETED;
        accept(draft, call, new ToolAnswered(call.callId(), call.attempt(), status, content));
    }

    private static void accept(TurnDraft draft, ToolCall call, ToolAnswered answer) {
        ToolStatus status = answer.status();
        String content = answer.content();
        boolean marked = status == ToolStatus.COMPLETED || content.startsWith("error:");
        complete(draft, call, status, marked ? content : ERROR_PREFIX + content, answer.files(), answer.patches());
        if (status == ToolStatus.COMPLETED
                && call.name().equals(ToolSpec.TOOL_SEARCH)
                && call.version().isEmpty()) {
            Disclosures.showFound(draft, content);
        }
        sendFiles(draft, answer.files());
        advance(draft);
    }

    private static void complete(TurnDraft draft, ToolCall call, ToolStatus status, String content) {
        complete(draft, call, status, content, List.of(), List.of());
    }

    /** Completes the call with its one result. */
    private static void complete(
            TurnDraft draft,
            ToolCall call,
            ToolStatus status,
            String content,
            List<Block.File> files,
            List<Patch> patches) {
        ActiveTurn turn = draft.turn();
        draft.emit(new ToolCalled(
                draft.turnMeta(),
                call.callId(),
                turn.step(),
                call.index(),
                call.attempt(),
                call.message(),
                call.part(),
                call.toolCallId(),
                call.name(),
                status,
                content,
                files,
                patches));
        Calls.publish(draft, TurnDelta.Kind.TOOL_RESULT, content, call.name(), call.toolCallId());
    }

    /** Retries the call, or fails it at its deadline or when its attempts are exhausted. */
    static void onDue(TurnDraft draft, ToolCall call) {
        if (call.approval() != null) {
            Approvals.expire(draft, call);
        } else if (TurnMachine.isDue(call.deadline(), draft) && !Calls.isLostPastDeadline(draft, call)) {
            cancel(
                    draft,
                    call,
                    call.isCallers()
                            ? "error: the caller did not return the result of this call in time; do without it"
                            : "error: the tool did not answer in time");
            advance(draft);
        } else if (call.retryAt() != null || call.failures() + 1 < TurnMachine.TOOL_ATTEMPTS) {
            retry(draft, call);
        } else {
            complete(draft, call, ToolStatus.ERROR, "error: the call was lost");
            advance(draft);
        }
    }

    private static void retry(TurnDraft draft, ToolCall call) {
        draft.emit(new ToolRequested(
                draft.turnMeta(),
                call.callId(),
                draft.turn().step(),
                call.index(),
                call.attempt() + 1,
                call.message(),
                call.part(),
                call.toolCallId(),
                call.name(),
                call.arguments(),
                call.version(),
                null,
                draft.now().plus(TurnMachine.LEASE),
                Calls.nextDeadline(draft, call)));
        request(draft, draft.turn().calls().get(call.index()));
    }

    /** Completes every open call, so that no history contains a call without a result. */
    static void cancelAll(TurnDraft draft, String content) {
        List<ToolCall> open = draft.turn().calls().stream()
                .filter(call -> !call.status().isFinal())
                .toList();
        open.forEach(call -> cancel(draft, call, content));
    }

    private static void cancel(TurnDraft draft, ToolCall call, String content) {
        if (call.approval() == null && !call.isCallers()) { // otherwise no worker has started
            draft.effect(
                    call.child() == null
                            ? new TurnEffect.CancelTool(call.callId())
                            : new TurnEffect.SendCommand(call.child(), Delegation.cancel(draft, call)));
        }
        complete(draft, call, ToolStatus.ERROR, content);
    }

    /** Proceeds to the next step once every call has its result. */
    static void advance(TurnDraft draft) {
        ActiveTurn turn = draft.turn();
        if (turn.calls().stream().allMatch(call -> call.status().isFinal())) {
            ModelCalls.request(draft, turn.step() + 1);
        }
    }
}
