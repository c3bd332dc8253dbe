package dev.parley.channels.web;

import dev.parley.domain.RecordKey;
import dev.parley.domain.turn.CommandMeta;
import dev.parley.domain.turn.Outcome;
import dev.parley.domain.turn.TurnCommand;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Gives commands for callers, and says what became of them in the words of HTTP. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class Commands {
    /** How long a command may take to be safe. */
    static final Duration SAFE = Duration.ofSeconds(12);

    /** How long its outcome is waited for; after that the caller hears that it was taken. */
    static final Duration DECIDED = Duration.ofSeconds(10);

    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Pattern TRACE = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private final CommandGateway gateway;

    Commands(CommandGateway gateway) {
        this.gateway = gateway;
    }

    /** What a command of this caller carries. */
    CommandMeta meta(Caller caller, UUID commandId, @Nullable String trace) {
        return new CommandMeta(
                commandId,
                caller.host(),
                Instant.now(),
                caller.user(),
                gateway.outcomePartition(),
                trace != null && TRACE.matcher(trace).matches() ? trace : null);
    }

    /**
     * Gives a command, and waits until it is safe. Close the ticket.
     *
     * @throws ApiException when it is too large or cannot be given now
     */
    Ticket give(RecordKey key, TurnCommand command) {
        Ticket ticket = gateway.give(key, command);
        try {
            ticket.sent().get(SAFE.toMillis(), TimeUnit.MILLISECONDS);
            return ticket;
        } catch (ExecutionException e) {
            ticket.close();
            throw notSent(e.getCause());
        } catch (TimeoutException e) {
            ticket.close();
            throw unavailable();
        } catch (InterruptedException e) {
            ticket.close();
            Thread.currentThread().interrupt();
            throw unavailable();
        }
    }

    private static ApiException notSent(@Nullable Throwable cause) {
        return switch (cause) {
            case RecordTooLargeException e ->
                ApiException.tooLarge("The message is larger than 8 MiB; send large texts as files.");
            case RejectedExecutionException e ->
                new ApiException(
                                HttpStatus.TOO_MANY_REQUESTS,
                                "overloaded",
                                "Too many commands are in flight here; try again")
                        .retryAfter(RETRY);
            case null, default -> unavailable();
        };
    }

    private static ApiException unavailable() {
        return new ApiException(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "unavailable",
                        "Kafka does not take commands now. Try again with the same Idempotency-Key: it counts once.")
                .retryAfter(RETRY);
    }

    /**
     * The first outcome of a command; empty when it is not known in time, or where no outcomes are heard.
     *
     * @throws ApiException when it is a refusal
     */
    Optional<Outcome> decided(Ticket ticket) {
        Optional<Outcome> outcome =
                gateway.outcomePartition() == null ? Optional.empty() : await(ticket.outcome(), DECIDED);
        if (outcome.orElse(null) instanceof Outcome.Refused refused) {
            throw Refusals.problem(refused);
        }
        return outcome;
    }

    /** Gives a command and waits for its outcome. */
    Optional<Outcome> ask(RecordKey key, TurnCommand command) {
        try (Ticket ticket = give(key, command)) {
            return decided(ticket);
        }
    }

    /** The value of a future; empty when it is not there in time. */
    static <T> Optional<T> await(CompletableFuture<T> future, Duration most) {
        try {
            return Optional.of(future.get(most.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
