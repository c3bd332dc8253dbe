package dev.parley.memory;

import dev.parley.domain.Ids;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.bank.RecallService;
import dev.parley.memory.recall.LocalRecall;
import dev.parley.memory.recall.RecallExecutor.Answer;
import dev.parley.platform.gateway.CommandGateway;
import dev.parley.platform.gateway.CommandGateway.Ticket;
import jakarta.inject.Singleton;
import java.time.Duration;
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

/** Asks banks, and gives them commands, whichever process owns them; waits no longer than it is told. */
@Singleton
public final class BankClient {
    private final CommandGateway gateway;
    private final Optional<LocalRecall> local;

    /** @param local where this process owns banks */
    BankClient(CommandGateway gateway, Optional<LocalRecall> local) {
        this.gateway = gateway;
        this.local = local;
    }

    /** Kafka has not taken a command or a question; the cause says why, and is missing where it took too long. */
    public static final class UnsentException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnsentException(@Nullable Throwable cause) {
            super("Kafka did not take it" + (cause == null ? " in time" : ": " + cause), cause);
        }
    }

    /**
     * What banks know of something.
     *
     * @param found by each that has answered in time, in the order of the banks
     * @param opening whether one was just being made ready, and would answer some seconds later
     */
    public record Known(List<Outcome.Recalled> found, boolean opening) {
        public Known {
            found = List.copyOf(found);
        }
    }

    /** What banks know of something; what does not answer in time is left out. */
    public Known recall(UUID id, List<BankRef> banks, String query, int maxTokens, Instant until)
            throws InterruptedException {
        Integer partition = partition().orElse(null);
        if (partition == null) {
            return new Known(List.of(), false);
        }
        var tickets = new ArrayList<Ticket>();
        for (BankRef bank : banks) {
            UUID call = Ids.of("recall", id, bank.id());
            tickets.add(gateway.ask(RecallRequest.of(call, bank, query, maxTokens / banks.size(), partition, until)));
        }
        var found = new ArrayList<Outcome.Recalled>();
        boolean opening = false;
        try {
            for (Ticket ticket : tickets) {
                Outcome outcome = within(ticket.outcome(), until).orElse(null);
                if (outcome instanceof Outcome.Recalled recalled) {
                    found.add(recalled);
                }
                opening |= outcome != null && isOpening(outcome);
            }
        } finally {
            tickets.forEach(Ticket::close);
        }
        return new Known(found, opening);
    }

    /**
     * What a bank answers to a question; empty where it does not in time. One that is open in this process answers at once. What a
     * turn has said and the bank was not told of yet may be missing then: {@link #recall} stands behind it.
     *
     * @param shown number of an event of the bank that the asker has seen
     * @throws UnsentException when the question is not on its way
     */
    public Optional<Answer> ask(RecallRequest question, long shown, Instant until) throws InterruptedException {
        Optional<CompletableFuture<Answer>> here = local.flatMap(banks -> banks.ask(question, shown));
        if (here.isPresent()) {
            Optional<Answer> answer = within(here.get(), until);
            if (answer.isEmpty() || !isOpening(answer.get().outcome())) { // else it was put away, and is made ready
                return answer;
            }
        }
        try (Ticket ticket = gateway.ask(question)) {
            return decided(ticket, until).map(outcome -> new Answer(outcome, OptionalInt.empty()));
        }
    }

    private static boolean isOpening(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused && refused.code().equals(RecallService.OPENING);
    }

    /** What becomes of a command; empty where that is not known in time. */
    public Optional<Outcome> give(MemoryCommand command, Instant until) throws InterruptedException {
        try (Ticket ticket = gateway.give(command)) {
            return within(ticket.outcome(), until);
        }
    }

    /**
     * What becomes of commands, which are safe then; empty where that is not known in time.
     *
     * @throws UnsentException when not all of them are safe: given again, those that are count once
     */
    public List<Optional<Outcome>> giveAll(List<? extends MemoryCommand> commands, Instant until)
            throws InterruptedException {
        var tickets = new ArrayList<Ticket>();
        try {
            commands.forEach(command -> tickets.add(gateway.give(command)));
            var outcomes = new ArrayList<Optional<Outcome>>();
            for (Ticket ticket : tickets) {
                outcomes.add(decided(ticket, until));
            }
            return outcomes;
        } finally {
            tickets.forEach(Ticket::close);
        }
    }

    /** Where outcomes are heard; empty while they are not. */
    public Optional<Integer> partition() {
        return Optional.ofNullable(gateway.outcomePartition());
    }

    /** The head of a command of somebody. */
    public CommandMeta meta(UUID id, UUID host, @Nullable String user) {
        return new CommandMeta(id, host, Instant.now(), user, gateway.outcomePartition(), null);
    }

    private Optional<Outcome> decided(Ticket ticket, Instant until) throws InterruptedException {
        try {
            ticket.sent().get(millis(until), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new UnsentException(Objects.requireNonNullElse(e.getCause(), e));
        } catch (TimeoutException e) {
            throw new UnsentException(null);
        }
        return partition().isEmpty() ? Optional.empty() : within(ticket.outcome(), until);
    }

    private static <T> Optional<T> within(CompletableFuture<T> outcome, Instant until) throws InterruptedException {
        try {
            return Optional.of(outcome.get(millis(until), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a bank could not be asked: " + e.getCause(), e);
        }
    }

    private static long millis(Instant until) {
        return Math.max(1, Duration.between(Instant.now(), until).toMillis());
    }
}
