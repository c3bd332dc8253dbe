package dev.parley.channels.web;

import dev.parley.channels.contract.DurableCommands;
import dev.parley.channels.contract.Intake.UnavailableException;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.Capability;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.platform.config.BotConfig;
import dev.parley.platform.config.ParleyConfig;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Submits the commands of callers, and maps outcomes to HTTP. */
@Singleton
@Requires(property = "parley.role.channels", value = "true")
final class Commands {
    private static final Pattern TRACE = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");

    private final DurableCommands commands;
    private final List<String> bots;

    Commands(DurableCommands commands, Optional<ParleyConfig> config) {
        this.commands = commands;
        this.bots = config.map(ParleyConfig::bots).orElse(List.of()).stream()
                .map(BotConfig::name)
                .toList();
    }

    /**
     * The metadata of a caller's command to a session; callers who may not read others' sessions cannot change them
     * either.
     */
    CommandMeta meta(Caller caller, RecordKey session, UUID commandId, @Nullable String trace) {
        boolean traced = trace != null && TRACE.matcher(trace).matches();
        CommandMeta given = commands.meta(commandId, caller.host(), caller.user(), traced ? trace : null);
        CommandMeta meta = caller.may(Capability.SESSION_CREATE, session.project()) ? given : given.toExisting();
        if (caller.readsAll(session.project())) {
            return meta;
        }
        if (isReserved(session.session())) {
            throw ApiException.notFound("unknown_session", "There is no session '" + session.session() + "'");
        }
        return meta.limited();
    }

    /** Keys of bots and delegations are reserved, so that nobody opens such a session first and reads what follows. */
    private boolean isReserved(String key) {
        return key.contains(":delegate:") || bots.stream().anyMatch(bot -> key.startsWith(bot + ":"));
    }

    /**
     * Submits a command, and waits until it is durable and decided. The caller closes the result.
     *
     * @throws ApiException when it cannot be submitted, or is refused
     */
    Given give(RecordKey key, TurnCommand command) {
        Ticket ticket = safe(key, command);
        Optional<Outcome> outcome = decided(ticket);
        if (outcome.orElse(null) instanceof Outcome.Refused refused) {
            ticket.close();
            throw Refusals.problem(refused);
        }
        return new Given(ticket, outcome);
    }

    private Ticket safe(RecordKey key, TurnCommand command) {
        try {
            return commands.give(key, command);
        } catch (UnavailableException e) {
            throw Refusals.problem(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.problem(new UnavailableException("this instance is shutting down"));
        }
    }

    private Optional<Outcome> decided(Ticket ticket) {
        try {
            return commands.decided(ticket);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty(); // it is durable all the same
        }
    }

    /**
     * A durable command.
     *
     * @param outcome the first outcome; empty when it was not known in time, or this instance receives no outcomes
     */
    record Given(Ticket ticket, Optional<Outcome> outcome) implements AutoCloseable {
        @Override
        public void close() {
            ticket.close();
        }
    }

    /** Submits a command, and waits for its outcome. */
    Optional<Outcome> ask(RecordKey key, TurnCommand command) {
        try (Given given = give(key, command)) {
            return given.outcome();
        }
    }
}
