package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** A side effect that the engine requests: calls, questions, events, subscriptions. */
public sealed interface ProcessEffect {
    /**
     * Requests a call, whose {@link ProcessInput.Result} is an input.
     *
     * @param key identifies the call; the same when the decision is repeated
     * @param function {@code http}, {@code workflow} and so on
     * @param timeout null for the default
     */
    record Call(
            String key,
            long order,
            String name,
            String function,
            Json arguments,
            String idempotencyKey,
            @Nullable Duration timeout)
            implements ProcessEffect {}

    record CancelCall(String key) implements ProcessEffect {}

    /**
     * Asks a person, whose {@link ProcessInput.Answer} is an input.
     *
     * @param deadline null for none
     */
    record Ask(
            long order,
            String name,
            Json question,
            @Nullable Instant deadline) implements ProcessEffect {}

    /**
     * Reassigns an unanswered question.
     *
     * @param question with the new assignment
     */
    record Escalate(long order, Json question, @Nullable Instant deadline) implements ProcessEffect {}

    /** Withdraws a question. */
    record CancelAsk(long order) implements ProcessEffect {}

    /** Publishes an event. */
    record Emit(Json event) implements ProcessEffect {}

    /**
     * Subscribes to events.
     *
     * @param types of matching events; {@code *} for any type
     */
    record Listen(long order, String pointer, SortedSet<String> types) implements ProcessEffect {}

    /** Unsubscribes from events. */
    record CancelListen(long order) implements ProcessEffect {}

    /** Requests a {@link ProcessInput.Tick} after other processes have run. */
    record Yield() implements ProcessEffect {}
}
