package dev.parley.platform.gateway;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.workflow.WorkflowCommand;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Gives commands to sessions, and hears what becomes of them, whichever instance decides. */
public interface CommandGateway extends AutoCloseable {

    /** The partition of {@code outcomes} that this instance hears, for {@code CommandMeta}; null while it has none. */
    @Nullable
    Integer outcomePartition();

    /**
     * Sends a command; it is safe, replicated as the topic demands, once {@link Ticket#sent()} is complete.
     *
     * @throws org.apache.kafka.common.errors.RecordTooLargeException through {@code sent}, when it is above the limit
     */
    Ticket give(RecordKey key, TurnCommand command);

    /** Gives a command to a bank; as {@link #give(RecordKey, TurnCommand)}. */
    Ticket give(MemoryCommand command);

    /** Gives a command to a process; as {@link #give(RecordKey, TurnCommand)}. */
    Ticket give(WorkflowCommand command);

    /** Asks a bank; the answer is the ticket's outcome. */
    Ticket ask(RecallRequest request);

    @Override
    void close();

    /**
     * What is to be heard of a command. Close it when nobody waits any more.
     *
     * @param sent completes when Kafka has the command
     * @param outcome completes with the first outcome of the command
     * @param finished completes when the turn that the command made or joined ended; never for other commands
     */
    record Ticket(
            UUID commandId,
            CompletableFuture<Void> sent,
            CompletableFuture<Outcome> outcome,
            CompletableFuture<Outcome.Finished> finished,
            Runnable onClose)
            implements AutoCloseable {
        @Override
        public void close() {
            onClose.run();
        }
    }
}
