package dev.parley.domain.session;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Check;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Recollection;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnEvent.ModelCallFailed;
import dev.parley.domain.protocol.TurnEvent.ModelRequested;
import dev.parley.domain.protocol.TurnEvent.ToolRequested;
import dev.parley.domain.protocol.TurnEvent.Transcribed;
import dev.parley.domain.protocol.TurnEvent.TurnStarted;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.TurnPhase.CallingModel;
import dev.parley.domain.session.TurnPhase.CallingTools;
import dev.parley.domain.session.TurnPhase.CheckingGuardrail;
import dev.parley.domain.session.TurnPhase.Recalling;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The active turn.
 *
 * @param step number of the current model call, from 0
 * @param nextMessage number of the turn's next message
 * @param model the pending model call, or null
 * @param calls tool calls of this step, in order
 * @param steered messages that joined and wait for the next model call
 * @param lastCalls fingerprint of the latest step's calls
 * @param repeats number of identical rounds of calls in a row
 * @param lastStep whether the next model call is made without tools
 * @param cancelling pending cancellation, or null
 * @param said the model's text so far
 * @param lastModel the last model that answered, {@code provider/model}, or null
 * @param guarded progress of guardrail checks
 * @param recollection state of recall
 */
@RecordBuilder
public record ActiveTurn(
        QueuedTurn turn,
        String agentVersion,
        Instant startedAt,
        Instant deadline,
        int step,
        int nextMessage,
        Usage usage,
        @Nullable ModelCall model,
        List<ToolCall> calls,
        List<List<Block>> steered,
        @Nullable UUID lastCalls,
        int repeats,
        boolean lastStep,
        @Nullable Cancelling cancelling,
        String said,
        @Nullable String lastModel,
        Guarded guarded,
        Recollection recollection)
        implements ActiveTurnBuilder.With {
    public ActiveTurn {
        calls = List.copyOf(calls);
        steered = List.copyOf(steered);
    }

    /** A queued turn has started. */
    public static ActiveTurn of(QueuedTurn turn, TurnStarted e) {
        return ActiveTurnBuilder.builder()
                .turn(turn.withAgent(e.agent()))
                .agentVersion(e.agentVersion())
                .startedAt(e.meta().at())
                .deadline(e.deadline())
                .nextMessage(1)
                .usage(Usage.NONE)
                .calls(List.of())
                .steered(List.of())
                .said("")
                .guarded(Guarded.NONE)
                .recollection(Recollection.NONE)
                .build();
    }

    public UUID turnId() {
        return turn.turnId();
    }

    /** The published state of the turn. */
    public TurnState state() {
        return switch (phase()) {
            case CheckingGuardrail _ -> TurnState.WAITING_TOOL;
            case Recalling _, CallingModel _ -> TurnState.RUNNING_MODEL;
            case CallingTools _ when calls.isEmpty() -> TurnState.RUNNING_MODEL;
            case CallingTools(var open)
            when open.stream().anyMatch(call -> call.approval() != null) -> TurnState.WAITING_APPROVAL;
            case CallingTools(var open) ->
                open.stream().allMatch(call -> call.child() != null) ? TurnState.WAITING_CHILD : TurnState.WAITING_TOOL;
        };
    }

    /** The current phase of the turn. */
    public TurnPhase phase() {
        if (guarded.check() != null) {
            return new CheckingGuardrail(guarded.check());
        }
        if (recollection.asked() != null) {
            return new Recalling(recollection.asked());
        }
        return model != null
                ? new CallingModel(model)
                : new CallingTools(
                        calls.stream().filter(call -> !call.status().isFinal()).toList());
    }

    /** A model call is requested. */
    public ActiveTurn modelRequested(ModelRequested e) {
        int failures = model == null ? 0 : model.failuresOnRetry();
        String objection = model == null ? null : model.objection();
        var call = new ModelCall(
                e.callId(), e.attempt(), failures, e.toolsAllowed(), e.recordings(), e.leaseUntil(), null, objection);
        return with().step(e.step()).model(call).calls(List.of()).build();
    }

    /** An attempt of the model call failed. */
    public ActiveTurn modelCallFailed(ModelCallFailed e) {
        if (model == null || e.retryAt() == null) {
            return model == null ? this : withModel(null);
        }
        ModelCall failed = model.failAttempt(e.retryAt());
        return withModel(e.category() == ErrorCategory.INVALID_ANSWER ? failed.withObjection(e.detail()) : failed);
    }

    /**
     * The model has answered.
     *
     * @param text generated text, may be blank
     */
    public ActiveTurn modelAnswered(Usage callUsage, String text, String modelName) {
        return with().nextMessage(nextMessage + 1)
                .usage(usage.plus(callUsage))
                .model(null)
                .calls(List.of())
                .said(appendLine(said, text))
                .lastModel(modelName)
                .guarded(guarded.with(null))
                .build();
    }

    private static String appendLine(String before, String text) {
        return text.isBlank() ? before : before.isEmpty() ? text : before + "\n" + text;
    }

    /** Recordings were transcribed. */
    public ActiveTurn transcribed(Transcribed event) {
        return with().turn(turn.withContent(event.applyTo(turn.content())))
                .usage(usage.plus(event.usage()))
                .model(null)
                .steered(steered.stream().map(event::applyTo).toList())
                .build();
    }

    /** The first message that joined is now in the context. */
    public ActiveTurn messageAppended() {
        boolean joined = !steered.isEmpty();
        return with().nextMessage(nextMessage + 1)
                .steered(joined ? steered.subList(1, steered.size()) : steered)
                .guarded(guarded.messageJoined(joined))
                .recollection(recollection.messageJoined(joined))
                .build();
    }

    /** Another message joined. */
    public ActiveTurn turnSteered(List<Block> content) {
        var extended = new ArrayList<>(steered);
        extended.add(content);
        return withSteered(extended);
    }

    /** An input: 0 is the turn's own, followed by those that joined and wait for the next model call. */
    public Optional<List<Block>> input(int message) {
        if (message == 0) {
            return Optional.of(turn.content());
        }
        return message <= steered.size() ? Optional.of(steered.get(message - 1)) : Optional.empty();
    }

    /**
     * Guardrails have checked an input.
     *
     * @param content the rewritten input, or null if unchanged
     */
    public ActiveTurn inputChecked(int message, @Nullable List<Block> content) {
        var joined = new ArrayList<>(steered);
        if (content != null && message > 0) {
            joined.set(message - 1, content);
        }
        return with().turn(content == null || message > 0 ? turn : turn.withContent(content))
                .steered(joined)
                .guarded(guarded.inputPassed())
                .build();
    }

    /** The tool call of this step with this id. */
    public Optional<ToolCall> call(UUID callId) {
        return calls.stream().filter(call -> call.callId().equals(callId)).findFirst();
    }

    /** With another tool call. */
    public ActiveTurn withToolCall(Instant now, ToolCall added) {
        return withToolCalls(
                now, Stream.concat(calls.stream(), Stream.of(added)).toList());
    }

    /** With a changed tool call. */
    public ActiveTurn withToolCall(Instant now, UUID callId, UnaryOperator<ToolCall> change) {
        return withToolCalls(now, changeCall(callId, change));
    }

    /** With these tool calls. Time spent waiting for people or the caller does not count: it extends the deadline. */
    private ActiveTurn withToolCalls(Instant now, List<ToolCall> changed) {
        Duration waiting = Duration.between(awaitedUntil(calls, now), awaitedUntil(changed, now));
        return with().calls(changed).deadline(deadline.plus(waiting)).build();
    }

    private static Instant awaitedUntil(List<ToolCall> calls, Instant fallback) {
        return calls.stream()
                .flatMap(call -> Stream.ofNullable(call.awaitedUntil()))
                .max(Instant::compareTo)
                .orElse(fallback);
    }

    /** With another attempt of a tool call. Time in which nobody executed it extends the deadlines of call and turn. */
    public ActiveTurn withRetry(ToolRequested e) {
        Duration lost = call(e.callId())
                .map(call -> Duration.between(call.deadline(), e.deadline()))
                .orElse(Duration.ZERO);
        ActiveTurn retried = withCall(
                e.callId(),
                call -> call.retry(e.attempt(), e.leaseUntil(), call.deadline().plus(lost)));
        return retried.with().deadline(deadline.plus(lost)).build();
    }

    /** With a changed tool call; the deadline stays. */
    public ActiveTurn withCall(UUID callId, UnaryOperator<ToolCall> change) {
        return withCalls(changeCall(callId, change));
    }

    /** With a changed call: of the model, of a guardrail, or of the model's tools. */
    public ActiveTurn withCall(UUID callId, UnaryOperator<ModelCall> onModel, UnaryOperator<ToolCall> onTool) {
        Check check = guarded.check();
        if (model != null && model.callId().equals(callId)) {
            return withModel(onModel.apply(model));
        }
        if (check != null && check.toolCall().callId().equals(callId)) {
            return withGuarded(guarded.with(check.withToolCall(check.guardrail(), onTool.apply(check.toolCall()))));
        }
        return withCall(callId, onTool);
    }

    private List<ToolCall> changeCall(UUID callId, UnaryOperator<ToolCall> change) {
        return calls.stream()
                .map(call -> call.callId().equals(callId) ? change.apply(call) : call)
                .toList();
    }

    /**
     * The model has called tools.
     *
     * @param limit identical rounds in a row after which the next step is the last one
     */
    public ActiveTurn toolsCalled(List<Block.ToolCall> round, int limit) {
        UUID fingerprint = Ids.of(round.stream()
                .flatMap(call -> Stream.of(call.name(), call.arguments()))
                .toArray());
        int rounds = fingerprint.equals(lastCalls) ? repeats + 1 : 1;
        return with().lastCalls(fingerprint)
                .repeats(rounds)
                .lastStep(lastStep || rounds >= limit)
                .build();
    }
}
