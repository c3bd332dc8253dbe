package dev.parley.server.replay;

import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a turn.
 *
 * @param state COMPLETED, FAILED or CANCELLED; null where it did not end
 * @param reply what the person is told: the reply, or the error
 * @param calls in the order in which they were made
 * @param model the model that answered last, {@code provider/model}, or null
 * @param steps model calls
 */
public record Answer(
        @Nullable TurnState state,
        String reply,
        List<RecordedCall> calls,
        Usage usage,
        @Nullable String model,
        int steps) {
    public Answer {
        calls = List.copyOf(calls);
    }

    /** The answer that the events of a turn describe. */
    public static Answer of(UUID turn, List<TurnEvent> events) {
        var calls = new LinkedHashMap<UUID, RecordedCall>();
        TurnState state = null;
        String reply = "";
        String model = null;
        Usage usage = Usage.NONE;
        int steps = 0;
        for (TurnEvent event : events) {
            if (!turn.equals(event.meta().turnId())) {
                continue;
            }
            switch (event) {
                case ToolRequested e
                when e.attempt() == 1 ->
                    calls.put(e.callId(), new RecordedCall(e.name(), e.arguments(), ToolStatus.PENDING, ""));
                case ToolCalled e ->
                    calls.computeIfPresent(
                            e.callId(),
                            (_, call) -> new RecordedCall(call.name(), call.arguments(), e.status(), e.content()));
                case ModelCalled e -> {
                    steps++;
                    model = e.provider() + "/" + e.model();
                }
                case TurnCompleted e -> {
                    state = TurnState.COMPLETED;
                    reply = e.reply();
                    usage = e.usage();
                }
                case TurnFailed e -> {
                    state = TurnState.FAILED;
                    reply = e.message() + " (" + e.category().code() + ": " + e.detail() + ")";
                    usage = e.usage();
                }
                case TurnCancelled e -> {
                    state = TurnState.CANCELLED;
                    reply = e.partial();
                    usage = e.usage();
                }
                default -> {}
            }
        }
        return new Answer(state, reply, new ArrayList<>(calls.values()), usage, model, steps);
    }
}
