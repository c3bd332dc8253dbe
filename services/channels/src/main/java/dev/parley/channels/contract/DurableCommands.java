package dev.parley.channels.contract;

import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Intake.UnavailableException.Reason;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Submits the commands of all channels to Kafka, and waits until they are durable. */
@Singleton
public final class DurableCommands {
    /** Maximum time for Kafka to acknowledge a command. */
    private static final Duration ACK_TIMEOUT = Duration.ofSeconds(12);

    /** Maximum wait for the outcome; after that the command counts as accepted. */
    private static final Duration OUTCOME_TIMEOUT = Duration.ofSeconds(10);

    private final CommandGateway gateway;

    DurableCommands(CommandGateway gateway) {
        this.gateway = gateway;
    }

    /**
     * The metadata of a command submitted now.
     *
     * @param id unchanged for a resubmission
     * @param actor who sends it: the caller of the API, or the bot
     * @param user the user in records, who may write through a bot
     * @param trace the parent span, or null
     */
    public CommandMeta meta(UUID id, UUID host, Actor actor, @Nullable String user, @Nullable String trace) {
        return new CommandMeta(id, host, Instant.now(), user, gateway.outcomePartition(), trace).by(actor);
    }

    /**
     * Submits a command, and returns when it is durable. The caller closes the ticket.
     *
     * @throws UnavailableException where it may not be durable; says whether a retry may help
     */
    public Ticket submit(RecordKey key, TurnCommand command) throws UnavailableException, InterruptedException {
        return durable(gateway.send(key, command));
    }

    /** Submits a command to a workflow process, and waits for its outcome. */
    public Optional<Outcome> execute(WorkflowCommand command) throws UnavailableException, InterruptedException {
        try (Ticket ticket = durable(gateway.send(command))) {
            return awaitOutcome(ticket);
        }
    }

    private static Ticket durable(Ticket ticket) throws UnavailableException, InterruptedException {
        boolean durable = false;
        try {
            ticket.sent().get(ACK_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            durable = true;
            return ticket;
        } catch (ExecutionException e) {
            throw new UnavailableException(reason(e.getCause()), "Kafka did not accept a command: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new UnavailableException(
                    "Kafka did not acknowledge a command within " + ACK_TIMEOUT.toSeconds() + " s");
        } finally {
            if (!durable) {
                ticket.close();
            }
        }
    }

    private static Reason reason(@Nullable Throwable cause) {
        return switch (cause) {
            case RecordTooLargeException e -> Reason.TOO_LARGE;
            case RejectedExecutionException e -> Reason.OVERLOADED;
            case null, default -> Reason.AWAY;
        };
    }

    /** The first outcome of a command; empty when it is not known in time, or this instance receives no outcomes. */
    public Optional<Outcome> awaitOutcome(Ticket ticket) throws InterruptedException {
        return gateway.outcomePartition() == null ? Optional.empty() : Intake.within(OUTCOME_TIMEOUT, ticket.outcome());
    }

    /** Submits a command, and waits for its outcome. */
    public Optional<Outcome> execute(RecordKey key, TurnCommand command)
            throws UnavailableException, InterruptedException {
        try (Ticket ticket = submit(key, command)) {
            return awaitOutcome(ticket);
        }
    }
}
