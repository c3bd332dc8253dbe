package dev.parley.domain.session;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Recollection;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import dev.parley.domain.session.TurnPhase.CallingModel;
import dev.parley.domain.session.TurnPhase.CallingTools;
import dev.parley.domain.session.TurnPhase.CheckingGuardrail;
import dev.parley.domain.session.TurnPhase.Recalling;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
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

    public UUID turnId() {
        return turn.turnId();
    }

    /** The published state of the turn. */
    public TurnState state() {
        return switch (phase()) {
            case CheckingGuardrail _ -> TurnState.WAITING_TOOL;
            case Recalling _, CallingModel _ -> TurnState.RUNNING_MODEL;
            case CallingTools _ when calls.isEmpty() -> TurnState.RUNNING_MODEL;
            case CallingTools(var open) when open.stream().anyMatch(call -> call.approval() != null) ->
                TurnState.WAITING_APPROVAL;
            case CallingTools(var open) ->
                open.stream().allMatch(call -> call.child() != null) ? TurnState.WAITING_CHILD : TurnState.WAITING_TOOL;
        };
    }

    /** What the turn waits for. */
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

    /** The model is called for a step. */
    public ActiveTurn asking(int newStep, ModelCall call) {
        return with().step(newStep).model(call).calls(List.of()).build();
    }

    /**
     * The model has answered.
     *
     * @param text generated text, may be blank
     */
    public ActiveTurn answered(Usage more, String text, String modelName) {
        return with().nextMessage(nextMessage + 1)
                .usage(usage.plus(more))
                .model(null)
                .calls(List.of())
                .said(joined(said, text))
                .lastModel(modelName)
                .guarded(guarded.with(null))
                .build();
    }

    private static String joined(String before, String text) {
        return text.isBlank() ? before : before.isEmpty() ? text : before + "\n" + text;
    }

    /** Recordings were transcribed. */
    public ActiveTurn heard(TurnEvent.Transcribed event) {
        return with().turn(turn.withContent(event.heard(turn.content())))
                .usage(usage.plus(event.usage()))
                .model(null)
                .steered(steered.stream().map(event::heard).toList())
                .build();
    }

    /** The first message that joined is now in the context. */
    public ActiveTurn messageAppended() {
        boolean joined = !steered.isEmpty();
        return with().nextMessage(nextMessage + 1)
                .steered(joined ? steered.subList(1, steered.size()) : steered)
                .guarded(guarded.joined(joined))
                .recollection(recollection.joined(joined))
                .build();
    }

    /** Another message joined. */
    public ActiveTurn steeredBy(List<Block> content) {
        var more = new ArrayList<>(steered);
        more.add(content);
        return withSteered(more);
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
    public ActiveTurn checked(int message, @Nullable List<Block> content) {
        var joined = new ArrayList<>(steered);
        if (content != null && message > 0) {
            joined.set(message - 1, content);
        }
        return with().turn(content == null || message > 0 ? turn : turn.withContent(content))
                .steered(joined)
                .guarded(guarded.pass())
                .build();
    }

    /** With the changed call in place of the one with its id. */
    public ActiveTurn withCall(ToolCall changed) {
        return withCalls(calls.stream()
                .map(call -> call.callId().equals(changed.callId()) ? changed : call)
                .toList());
    }

    /** The latest round of calls was made {@code count} times in a row. */
    public ActiveTurn repeating(UUID fingerprint, int count, boolean last) {
        return with().lastCalls(fingerprint).repeats(count).lastStep(last).build();
    }
}
