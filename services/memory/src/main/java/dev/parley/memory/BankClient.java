package dev.parley.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.memory.bank.RecallService;
import dev.parley.memory.recall.LocalRecall;
import dev.parley.memory.recall.RecallExecutor.Answer;
import dev.parley.platform.clock.Deadline;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends commands and recall requests to memory banks, whichever process owns them. All waits have a deadline. */
@Singleton
public final class BankClient {
    private final CommandGateway gateway;
    private final Optional<LocalRecall> local;

    /** @param local present where this process owns banks */
    BankClient(CommandGateway gateway, Optional<LocalRecall> local) {
        this.gateway = gateway;
        this.local = local;
    }

    /** Kafka did not accept a command or request; the cause is null for a timeout. */
    public static final class UnsentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnsentException(@Nullable Throwable cause) {
            super("Kafka did not accept the record" + (cause == null ? " in time" : ": " + cause), cause);
        }
    }

    /**
     * Recalled memories of several banks.
     *
     * @param found answers that arrived in time, in the order of the banks
     * @param opening whether a bank was still loading and will answer in a few seconds
     */
    public record RecalledMemories(List<Outcome.Recalled> found, boolean opening) {
        public RecalledMemories {
            found = List.copyOf(found);
        }
    }

    /**
     * Recalls from several banks; those that do not answer in time are left out.
     *
     * @param user who asks, or null
     */
    public RecalledMemories recall(
            UUID id, List<BankRef> banks, @Nullable String user, String query, int maxTokens, Deadline deadline)
            throws InterruptedException {
        Integer partition = partition().orElse(null);
        if (partition == null) {
            return new RecalledMemories(List.of(), false);
        }
        var tickets = new ArrayList<Ticket>();
        try {
            for (BankRef bank : banks) {
                UUID call = Ids.of("recall", id, bank.id());
                tickets.add(gateway.send(RecallRequest.of(
                        call, bank, user, query, maxTokens / banks.size(), partition, deadline.instant())));
            }
            return awaitMemories(tickets, deadline);
        } finally {
            tickets.forEach(Ticket::close);
        }
    }

    private static RecalledMemories awaitMemories(List<Ticket> tickets, Deadline deadline) throws InterruptedException {
        var found = new ArrayList<Outcome.Recalled>();
        boolean opening = false;
        for (Ticket ticket : tickets) {
            Outcome outcome = within(ticket.outcome(), deadline).orElse(null);
            if (outcome instanceof Outcome.Recalled recalled) {
                found.add(recalled);
            }
            opening |= outcome != null && isOpening(outcome);
        }
        return new RecalledMemories(found, opening);
    }

    /**
     * Recalls from one bank; empty where it does not answer in time. A bank that is open in this process answers
     * directly, without Kafka. Its answer may lack content of recent turns that the bank has not received yet, which
     * {@link #recall(UUID, List, String, String, int, Deadline)} includes.
     *
     * @param seenSeq sequence number of an event of the bank that the caller has seen
     * @throws UnsentException where Kafka did not accept the request
     */
    public Optional<Answer> recall(RecallRequest request, long seenSeq, Deadline deadline) throws InterruptedException {
        Optional<CompletableFuture<Answer>> localAnswer = local.flatMap(banks -> banks.recall(request, seenSeq));
        if (localAnswer.isPresent()) {
            Optional<Answer> answer = within(localAnswer.get(), deadline);
            if (answer.isEmpty()
                    || !isOpening(
                            answer.get().outcome())) { // otherwise it was evicted, and is loaded for the request below
                return answer;
            }
        }
        try (Ticket ticket = gateway.send(request)) {
            return outcomeOf(ticket, deadline).map(outcome -> new Answer(outcome, OptionalInt.empty()));
        }
    }

    private static boolean isOpening(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && refused.code().equals(RecallService.OPENING);
    }

    /** Sends a command and waits for its outcome; empty on timeout. */
    public Optional<Outcome> send(MemoryCommand command, Deadline deadline) throws InterruptedException {
        try (Ticket ticket = gateway.send(command)) {
            return within(ticket.outcome(), deadline);
        }
    }

    /**
     * Sends commands and waits for their outcomes; empty for those that time out. All commands are stored in Kafka
     * then.
     *
     * @throws UnsentException where not all commands were stored; sent again, duplicates are ignored
     */
    public List<Optional<Outcome>> sendAll(List<? extends MemoryCommand> commands, Deadline deadline)
            throws InterruptedException {
        var tickets = new ArrayList<Ticket>();
        try {
            commands.forEach(command -> tickets.add(gateway.send(command)));
            var outcomes = new ArrayList<Optional<Outcome>>();
            for (Ticket ticket : tickets) {
                outcomes.add(outcomeOf(ticket, deadline));
            }
            return outcomes;
        } finally {
            tickets.forEach(Ticket::close);
        }
    }

    /** The partition on which this process receives outcomes; empty while it receives none. */
    public Optional<Integer> partition() {
        return Optional.ofNullable(gateway.outcomePartition());
    }

    /** The metadata of a command on behalf of a user. */
    public CommandMeta meta(UUID id, UUID host, @Nullable String user) {
        return new CommandMeta(id, host, Instant.now(), user, gateway.outcomePartition(), null).by(Actor.person(user));
    }

    private Optional<Outcome> outcomeOf(Ticket ticket, Deadline deadline) throws InterruptedException {
        try {
            ticket.sent().get(deadline.left().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new UnsentException(Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            throw new UnsentException(null);
        }
        return partition().isEmpty() ? Optional.empty() : within(ticket.outcome(), deadline);
    }

    private static <T> Optional<T> within(CompletableFuture<T> outcome, Deadline deadline) throws InterruptedException {
        try {
            return Optional.of(outcome.get(deadline.left().toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the request to a bank failed: " + e.getCause(), e);
        }
    }
}
