package dev.parley.workflows;

import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Client of the workflow topology: sends commands to processes on any instance and awaits their outcomes, with
 * timeouts.
 */
@Singleton
public final class WorkflowClient {
    private final CommandGateway gateway;

    WorkflowClient(CommandGateway gateway) {
        this.gateway = gateway;
    }

    /** Kafka did not accept a command; without a cause on timeout. */
    public static final class UnsentException extends RuntimeException {
        UnsentException(@Nullable Throwable cause) {
            super("Kafka did not accept the command" + (cause == null ? " in time" : ": " + cause), cause);
        }
    }

    /** Metadata of a user's command. */
    public CommandMeta meta(UUID id, UUID host, @Nullable String user) {
        return new CommandMeta(id, host, Instant.now(), user, gateway.outcomePartition(), null).by(Actor.person(user));
    }

    /** Sends a command and waits until Kafka has it. Close the ticket when the outcome is no longer needed. */
    public Ticket send(WorkflowCommand command, Duration timeout) throws InterruptedException {
        Ticket ticket = gateway.send(command);
        try {
            ticket.sent().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return ticket;
        } catch (ExecutionException e) {
            ticket.close();
            throw new UnsentException(e.getCause());
        } catch (TimeoutException e) {
            ticket.close();
            throw new UnsentException(null);
        }
    }

    /** The outcome of a command; empty on timeout. */
    public Optional<Outcome> outcome(Ticket ticket, Duration timeout) throws InterruptedException {
        if (gateway.outcomePartition() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(ticket.outcome().get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the outcome of a command could not be received: " + e.getCause(), e);
        }
    }
}
