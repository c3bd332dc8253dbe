package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** A side effect that the engine requests: calls, questions, events, subscriptions. */
public sealed interface Effect {
    /**
     * Something outside is to be called; its {@link ProcessInput.Result} comes back.
     *
     * @param key the call is known by; the same where it is asked again after a crash
     * @param function {@code http}, {@code workflow} and so on
     * @param timeout null leaves it to the one who calls
     */
    record Call(
            String key,
            long order,
            String name,
            String function,
            Json arguments,
            String idempotencyKey,
            @Nullable Duration timeout)
            implements Effect {}

    /** A call is not wanted any more. */
    record CancelCall(String key) implements Effect {}

    /** A person is to be asked; their {@link ProcessInput.Answer} comes back. @param deadline null where they have all the time */
    record Ask(
            long order,
            String name,
            Json question,
            @Nullable Instant deadline) implements Effect {}

    /** Others are asked in place of those who have not answered. @param question whose assignment names them */
    record Escalate(long order, Json question, @Nullable Instant deadline) implements Effect {}

    /** A person is not asked any more. */
    record CancelAsk(long order) implements Effect {}

    /** An event is to be published. */
    record Emit(Json event) implements Effect {}

    /** Events are to be told. @param types of those that may be meant; {@code *} where they may be of any */
    record Listen(long order, String pointer, SortedSet<String> types) implements Effect {}

    /** Events need not be told any more. */
    record CancelListen(long order) implements Effect {}

    /** It wants a {@link ProcessInput.Tick} when others had their turn. */
    record Yield() implements Effect {}
}
