package dev.parley.workflows.api;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.AwaitProcess;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import dev.parley.workflows.WorkflowClient;
import dev.parley.workflows.WorkflowClient.UnsentException;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Sends commands to processes and maps refusals and timeouts to HTTP errors. */
@Singleton
final class ProcessCommands {
    /** Maximum wait of a request for an outcome. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);

    private final WorkflowClient client;

    ProcessCommands(WorkflowClient client) {
        this.client = client;
    }

    /** Sends a command with a new id, and returns the process after it. */
    Json send(Caller caller, Function<CommandMeta, WorkflowCommand> command) {
        return send(caller, UUID.randomUUID(), command);
    }

    /** Sends a command with a given id, so that a repetition has no effect. */
    Json send(Caller caller, UUID id, Function<CommandMeta, WorkflowCommand> command) {
        return send(command.apply(client.meta(id, caller.host(), caller.user())));
    }

    /**
     * Sends a command of the server itself.
     *
     * @param user in whose name, or null
     */
    void send(UUID host, @Nullable String user, Function<CommandMeta, WorkflowCommand> command) {
        send(command.apply(client.meta(UUID.randomUUID(), host, user)));
    }

    private Json send(WorkflowCommand command) {
        return toJson(outcome(command, OUTCOME_TIMEOUT)
                .orElseThrow(() -> later("unavailable", "The process does not answer in time")));
    }

    /** The process once it has ended; empty on timeout. */
    Optional<Json> end(Caller caller, ProcessRef process, Duration timeout) {
        CommandMeta meta = client.meta(UUID.randomUUID(), caller.host(), caller.user());
        return outcome(new AwaitProcess(meta, process), timeout).map(ProcessCommands::toJson);
    }

    private Optional<Outcome> outcome(WorkflowCommand command, Duration timeout) {
        try (Ticket ticket = client.send(command, OUTCOME_TIMEOUT)) {
            return client.outcome(ticket, timeout);
        } catch (UnsentException e) {
            throw switch (e.getCause()) {
                case RecordTooLargeException _ -> ApiException.tooLarge("The request is larger than 8 MiB");
                case RejectedExecutionException _ -> later("overloaded", "Too many commands are in flight here", e);
                case null, default -> later("unavailable", "Kafka does not accept commands now", e);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw later("unavailable", "This instance is shutting down");
        }
    }

    private static Json toJson(Outcome outcome) {
        return switch (outcome) {
            case Outcome.ProcessShown shown -> JsonText.read(shown.json());
            case Outcome.Refused refused -> throw problem(refused);
            default -> throw new IllegalStateException("not an outcome of a process: " + outcome);
        };
    }

    /** A 503 with {@code Retry-After}. */
    static ApiException later(String code, String reason) {
        return later(code, reason, null);
    }

    /** A 503 with {@code Retry-After}, and the exception behind it, or null. */
    static ApiException later(String code, String reason, @Nullable Throwable cause) {
        return new ApiException(HttpStatus.SERVICE_UNAVAILABLE, code, reason + "; send it again in a moment", cause)
                .retryAfter(RETRY_DELAY);
    }

    private static ApiException problem(Outcome.Refused refused) {
        String message = refused.message();
        String sentence = message.isEmpty() ? message : Character.toUpperCase(message.charAt(0)) + message.substring(1);
        return new ApiException(status(refused.code()), refused.code(), sentence);
    }

    private static HttpStatus status(String code) {
        return switch (code) {
            case "unknown_process" -> HttpStatus.NOT_FOUND;
            case "invalid_input", "invalid_definition", "invalid_answer", "task_failed", "invalid_assignee" ->
                HttpStatus.BAD_REQUEST;
            case "task_not_yours" -> HttpStatus.FORBIDDEN;
            case "too_many" -> HttpStatus.TOO_MANY_REQUESTS;
            case "internal_error" -> HttpStatus.INTERNAL_SERVER_ERROR;
            default -> HttpStatus.CONFLICT;
        };
    }
}
