package dev.parley.client;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happens in a turn.
 *
 * @param id its place in the stream; null where it has none
 * @param type {@code started}, {@code token}, {@code reasoning}, {@code tool_arguments}, {@code tool_call},
 *     {@code approval} (a person is asked: {@code callId} is the id of the question), {@code tool_result},
 *     {@code message}, {@code progress}, {@code retry} (what was streamed of the step is void), {@code done} or
 *     {@code error}. More may come
 * @param session the key of its session
 * @param step of the turn
 * @param attempt of the step
 * @param text what is said; of {@code done} all of the reply
 * @param state of the turn, where it has ended
 */
public record TurnEvent(
        @Nullable String id,
        String type,
        @Nullable UUID turn,
        @Nullable String session,
        int step,
        int attempt,
        @Nullable String text,
        @Nullable String tool,
        @Nullable String callId,
        @Nullable String state) {

    /** Whether the turn has ended with it. */
    public boolean ends() {
        return type.equals("done") || type.equals("error");
    }
}
