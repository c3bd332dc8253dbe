package dev.parley.channels.web;

import dev.parley.channels.contract.DurableCommands;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.channels.contract.Refusals;
import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Entry;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnCommand.CancelTurn;
import dev.parley.domain.protocol.TurnCommand.SeedContext;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Submits the commands of callers, and maps outcomes to HTTP. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class CallerCommands {
    private static final Pattern TRACE = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private final DurableCommands commands;

    CallerCommands(DurableCommands commands) {
        this.commands = commands;
    }

    /**
     * The metadata of a caller's command to a session, which say how the caller stands to the sessions of others:
     * leads the project, is a guest where it shares its sessions, or does not see them.
     */
    CommandMeta meta(Caller caller, RecordKey session, UUID commandId, @Nullable String trace) {
        boolean traced = trace != null && TRACE.matcher(trace).matches();
        CommandMeta base = commands.meta(
                commandId, caller.host(), Actor.person(caller.user()), caller.user(), traced ? trace : null);
        CommandMeta meta = caller.may(Capability.SESSION_CREATE, session.project()) ? base : base.toExisting();
        return caller.limited(meta, session.project());
    }

    /** The metadata of a command that is submitted once. */
    CommandMeta meta(Caller caller, RecordKey session) {
        return meta(caller, session, UUID.randomUUID(), null);
    }

    /** The metadata of a command with a reference of the caller: a repetition is the same command. */
    CommandMeta meta(Caller caller, RecordKey session, String kind, String reference) {
        return meta(caller, session, Ids.of("command", session, kind, reference), null);
    }

    /**
     * Submits a command, and waits until it is durable and decided. The caller closes the result.
     *
     * @throws ApiException when it cannot be submitted, or is refused
     */
    SubmittedCommand submit(RecordKey key, TurnCommand command) {
        Ticket ticket = submitDurably(key, command);
        Optional<Outcome> outcome = awaitOutcome(ticket);
        if (outcome.orElse(null) instanceof Outcome.Refused refused) {
            ticket.close();
            throw Refusals.problem(refused);
        }
        return new SubmittedCommand(ticket, outcome);
    }

    private Ticket submitDurably(RecordKey key, TurnCommand command) {
        try {
            return commands.submit(key, command);
        } catch (UnavailableException e) {
            throw Refusals.problem(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.problem(new UnavailableException("this instance is shutting down"));
        }
    }

    private Optional<Outcome> awaitOutcome(Ticket ticket) {
        try {
            return commands.awaitOutcome(ticket);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty(); // the command is durable nevertheless
        }
    }

    /**
     * A durable command.
     *
     * @param outcome the first outcome; empty when it was not known in time, or this instance receives no outcomes
     */
    record SubmittedCommand(Ticket ticket, Optional<Outcome> outcome) implements AutoCloseable {
        @Override
        public void close() {
            ticket.close();
        }
    }

    /** Submits a command, and waits for its outcome. */
    Optional<Outcome> execute(RecordKey key, TurnCommand command) {
        try (SubmittedCommand submitted = submit(key, command)) {
            return submitted.outcome();
        }
    }

    /**
     * Cancels a turn; the active one where it is null.
     *
     * @param reason what the caller says about it, or null
     */
    void cancel(Caller caller, RecordKey session, @Nullable UUID turn, @Nullable String reason) {
        String why = Objects.requireNonNullElse(reason, "cancelled by the user");
        execute(session, new CancelTurn(meta(caller, session), turn, why));
    }

    /**
     * Opens a session that begins with a conversation.
     *
     * @param forOwner whether it is opened for the bot or delegating session whose key this is
     */
    Optional<Outcome> seed(
            CommandMeta meta,
            boolean forOwner,
            RecordKey session,
            @Nullable String agent,
            @Nullable String title,
            List<Entry> conversation) {
        UUID id = meta.commandId();
        return execute(
                session,
                new SeedContext(
                        meta,
                        id,
                        session,
                        session.sessionId(0),
                        null,
                        0,
                        1,
                        agent,
                        title,
                        null,
                        conversation,
                        forOwner));
    }
}
