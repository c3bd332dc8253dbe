package dev.parley.domain.session;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.Recollection;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The turn that runs.
 *
 * @param step number of the model call it is at, from 0
 * @param nextMessage number of its next message
 * @param model the model call that is awaited, or null
 * @param calls the tool calls of this step, in call order
 * @param steered messages that join before the next model call
 * @param lastCalls fingerprint of the newest step's calls
 * @param repeats how often in a row the same calls were made
 * @param lastStep the next model call is made without tools
 * @param cancelling why and until when it is waited for what the model had said, or null
 * @param said the assistant's text of this turn so far
 * @param lastModel the model that answered last, {@code provider/model}, or null
 * @param guarded how far guardrails have looked at it
 * @param recollection what it is reminded of
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

    /** The turn's id. */
    public UUID turnId() {
        return turn.turnId();
    }

    /** Where the turn stands, as others see it. */
    public TurnState state() {
        if (guarded.check() != null) {
            return TurnState.WAITING_TOOL;
        }
        if (model != null || calls.isEmpty() || recollection.asked() != null) {
            return TurnState.RUNNING_MODEL;
        }
        if (isAsking()) {
            return TurnState.WAITING_APPROVAL;
        }
        boolean tools = calls.stream().anyMatch(call -> !call.status().isFinal() && call.child() == null);
        return tools ? TurnState.WAITING_TOOL : TurnState.WAITING_CHILD;
    }

    /** Whether a person is asked whether a call may be carried out. */
    private boolean isAsking() {
        return calls.stream().anyMatch(call -> call.approval() != null);
    }

    /** A model is asked for the next step. */
    public ActiveTurn asking(int newStep, ModelCall call) {
        return with().step(newStep).model(call).calls(List.of()).build();
    }

    /** The model answered. @param text what it said, blank for nothing */
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

    /** The recordings of the turn say what is in them. */
    public ActiveTurn heard(TurnEvent.Transcribed event) {
        return with().turn(turn.withContent(event.heard(turn.content())))
                .usage(usage.plus(event.usage()))
                .model(null)
                .steered(steered.stream().map(event::heard).toList())
                .build();
    }

    /** The first message that joined stands in the context. */
    public ActiveTurn messageAppended() {
        boolean joined = !steered.isEmpty();
        return with().nextMessage(nextMessage + 1)
                .steered(joined ? steered.subList(1, steered.size()) : steered)
                .guarded(guarded.joined(joined))
                .recollection(recollection.joined(joined))
                .build();
    }

    /** One more message joins before the next model call. */
    public ActiveTurn steeredBy(List<Block> content) {
        var more = new ArrayList<>(steered);
        more.add(content);
        return withSteered(more);
    }

    /** A message that came in: 0 for the turn's own, then those that joined and wait for the next model call. */
    public Optional<List<Block>> input(int message) {
        if (message == 0) {
            return Optional.of(turn.content());
        }
        return message <= steered.size() ? Optional.of(steered.get(message - 1)) : Optional.empty();
    }

    /** Guardrails have looked at a message that came in. @param content in its place, or null where it stays */
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

    /** With what became of one of its calls. */
    public ActiveTurn withCall(ToolCall changed) {
        return withCalls(calls.stream()
                .map(call -> call.callId().equals(changed.callId()) ? changed : call)
                .toList());
    }

    /** The newest step's calls were made {@code count} times in a row. */
    public ActiveTurn repeating(UUID fingerprint, int count, boolean last) {
        return with().lastCalls(fingerprint).repeats(count).lastStep(last).build();
    }
}
