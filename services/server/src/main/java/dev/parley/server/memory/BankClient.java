package dev.parley.server.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.memory.BankRef;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.turn.CommandMeta;
import dev.parley.domain.turn.Outcome;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks banks, and gives them commands, whichever process owns them; waits no longer than it is told. */
final class BankClient {
    private final CommandGateway gateway;

    BankClient(CommandGateway gateway) {
        this.gateway = gateway;
    }

    /** What banks know of something, in the order of the banks; what does not answer in time is left out. */
    List<Outcome.Recalled> recall(UUID id, List<BankRef> banks, String query, int maxTokens, Instant until)
            throws InterruptedException {
        Integer partition = gateway.outcomePartition();
        if (partition == null) {
            return List.of();
        }
        var tickets = new ArrayList<Ticket>();
        for (BankRef bank : banks) {
            UUID call = Ids.of("recall", id, bank.id());
            tickets.add(gateway.ask(RecallRequest.of(call, bank, query, maxTokens / banks.size(), partition, until)));
        }
        var found = new ArrayList<Outcome.Recalled>();
        try {
            for (Ticket ticket : tickets) {
                if (outcome(ticket, until).orElse(null) instanceof Outcome.Recalled recalled) {
                    found.add(recalled);
                }
            }
        } finally {
            tickets.forEach(Ticket::close);
        }
        return found;
    }

    /** What becomes of a command; empty where that is not known in time. */
    Optional<Outcome> give(MemoryCommand command, Instant until) throws InterruptedException {
        try (Ticket ticket = gateway.give(command)) {
            return outcome(ticket, until);
        }
    }

    /** The head of a command of somebody. */
    CommandMeta meta(UUID id, UUID host, @Nullable String user) {
        return new CommandMeta(id, host, Instant.now(), user, gateway.outcomePartition(), null);
    }

    private static Optional<Outcome> outcome(Ticket ticket, Instant until) throws InterruptedException {
        try {
            long millis = Math.max(1, Duration.between(Instant.now(), until).toMillis());
            return Optional.of(ticket.outcome().get(millis, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a bank could not be asked: " + e.getCause(), e);
        }
    }
}
