package dev.parley.server.sessionreplay;

import dev.parley.domain.protocol.ToolStatus;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.*;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a turn.
 *
 * @param state COMPLETED, FAILED or CANCELLED; null where it did not end
 * @param reply the text for the user: the reply, or the error
 * @param calls in order
 * @param model the model that answered last, {@code provider/model}, or null
 * @param steps model calls
 */
public record TurnAnswer(
        @Nullable TurnState state,
        String reply,
        List<RecordedCall> calls,
        Usage usage,
        @Nullable String model,
        int steps) {
    public TurnAnswer {
        calls = List.copyOf(calls);
    }

    /** Folds the events of a turn into its answer. */
    public static TurnAnswer of(UUID turn, List<TurnEvent> events) {
        var answer = new Fold();
        events.stream().filter(event -> turn.equals(event.meta().turnId())).forEach(answer::apply);
        return answer.toAnswer();
    }

    /** Builds an answer event by event. */
    private static final class Fold {
        private final Map<UUID, RecordedCall> calls = new LinkedHashMap<>();
        private @Nullable TurnState state;
        private String reply = "";
        private @Nullable String model;
        private Usage usage = Usage.NONE;
        private int steps;

        void apply(TurnEvent event) {
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
                case TurnCompleted e -> end(TurnState.COMPLETED, e.reply(), e.usage());
                case TurnFailed e -> end(TurnState.FAILED, describe(e), e.usage());
                case TurnCancelled e -> end(TurnState.CANCELLED, e.partial(), e.usage());
                default -> {}
            }
        }

        private static String describe(TurnFailed failure) {
            return failure.message() + " (" + failure.category().code() + ": " + failure.detail() + ")";
        }

        private void end(TurnState finalState, String text, Usage total) {
            state = finalState;
            reply = text;
            usage = total;
        }

        TurnAnswer toAnswer() {
            return new TurnAnswer(state, reply, new ArrayList<>(calls.values()), usage, model, steps);
        }
    }
}
