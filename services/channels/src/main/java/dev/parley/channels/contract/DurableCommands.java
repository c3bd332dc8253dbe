package dev.parley.channels.contract;

import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Intake.UnavailableException.Why;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import io.micronaut.context.annotation.Requires;
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

/** Gives commands to Kafka, for whatever channel, and waits until they are safe. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
public final class DurableCommands {
    /** How long a command may take to be safe. */
    private static final Duration SAFE = Duration.ofSeconds(12);

    /** How long its outcome is waited for; after that its giver hears that it was taken. */
    private static final Duration DECIDED = Duration.ofSeconds(10);

    private final CommandGateway gateway;

    DurableCommands(CommandGateway gateway) {
        this.gateway = gateway;
    }

    /**
     * What a command that is given now carries.
     *
     * @param id the same for the same command, however often it is given
     * @param trace the span above, or null
     */
    public CommandMeta meta(UUID id, UUID host, String user, @Nullable String trace) {
        return new CommandMeta(id, host, Instant.now(), user, gateway.outcomePartition(), trace);
    }

    /**
     * Gives a command, and returns when it is safe. Close the ticket.
     *
     * @throws UnavailableException when nobody knows that it is; says whether giving it again may help
     */
    public Ticket give(RecordKey key, TurnCommand command) throws UnavailableException, InterruptedException {
        return safe(gateway.give(key, command));
    }

    /** Gives a process a command, and waits for its outcome. */
    public Optional<Outcome> ask(WorkflowCommand command) throws UnavailableException, InterruptedException {
        try (Ticket ticket = safe(gateway.give(command))) {
            return decided(ticket);
        }
    }

    private static Ticket safe(Ticket ticket) throws UnavailableException, InterruptedException {
        boolean safe = false;
        try {
            ticket.sent().get(SAFE.toMillis(), TimeUnit.MILLISECONDS);
            safe = true;
            return ticket;
        } catch (ExecutionException e) {
            throw new UnavailableException(why(e.getCause()), "Kafka did not take a command: " + e.getCause());
        } catch (TimeoutException e) {
            throw new UnavailableException("Kafka did not take a command within " + SAFE.toSeconds() + " s");
        } finally {
            if (!safe) {
                ticket.close();
            }
        }
    }

    private static Why why(@Nullable Throwable cause) {
        return switch (cause) {
            case RecordTooLargeException e -> Why.TOO_LARGE;
            case RejectedExecutionException e -> Why.OVERLOADED;
            case null, default -> Why.AWAY;
        };
    }

    /** The first outcome of a command; empty when it is not known in time, or where no outcomes are heard. */
    public Optional<Outcome> decided(Ticket ticket) throws InterruptedException {
        return gateway.outcomePartition() == null ? Optional.empty() : Intake.within(DECIDED, ticket.outcome());
    }

    /** Gives a command, and waits for its outcome. */
    public Optional<Outcome> ask(RecordKey key, TurnCommand command) throws UnavailableException, InterruptedException {
        try (Ticket ticket = give(key, command)) {
            return decided(ticket);
        }
    }
}
