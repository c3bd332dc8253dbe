package dev.parley.platform.gateway;

import dev.parley.domain.RecordKey;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.gateway.WaitingTable.Waiting;
import dev.parley.platform.kafka.DeadLetters;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.serde.RecordSerde;
import dev.parley.platform.service.Service;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands to sessions, banks and workflow processes, and receives their outcomes from any instance. Commands go
 * to their topics; outcomes arrive in the partition of {@code outcomes} of this instance, or in memory from this
 * process.
 *
 * <p>An instance without a partition, because it has just started or there are more instances than partitions, still
 * sends commands, but their tickets never complete. A ticket that is not closed expires after 15 minutes.
 */
public final class CommandGateway implements Service {
    /** Maximum number of open tickets; further ones fail with {@link RejectedExecutionException}. */
    public static final int MAX_OPEN = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(CommandGateway.class);

    static final Duration EXPIRY = Duration.ofMinutes(15);
    private static final Duration FIRST_PARTITION = Duration.ofSeconds(5);

    private final KafkaClients clients;
    private final LocalDispatch localDispatch;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("ticket-sweeper").daemon().factory());
    private final WaitingTable table;
    private volatile @Nullable Producer<byte[], byte[]> producer;
    private volatile @Nullable OutcomeReader reader;

    public CommandGateway(KafkaClients clients) {
        this(clients, LocalDispatch.closed());
    }

    /** @param localDispatch delivers outcomes of topologies of this process in memory */
    public CommandGateway(KafkaClients clients, LocalDispatch localDispatch) {
        this(clients, localDispatch, MAX_OPEN);
    }

    CommandGateway(KafkaClients clients, LocalDispatch localDispatch, int maxOpen) {
        this.clients = clients;
        this.localDispatch = localDispatch;
        this.table = new WaitingTable(maxOpen, executor);
    }

    @Override
    public String name() {
        return "commands";
    }

    /** Starts, and waits up to 5 s for a partition of its own. */
    @Override
    public synchronized void start() {
        if (producer != null) {
            return;
        }
        producer = clients.producer("commands");
        var outcomes = new OutcomeReader(clients, table::partitions, table::deliver, this::sendDeadLetter);
        reader = outcomes;
        var _ = sweeper.scheduleWithFixedDelay(
                () -> table.expire(System.nanoTime() - EXPIRY.toNanos()), 1, 1, TimeUnit.MINUTES);
        localDispatch.register(table);
        try {
            outcomes.awaitOwn(FIRST_PARTITION);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Optional<String> problem() {
        OutcomeReader outcomes = reader;
        return outcomes != null && outcomes.isRunning() ? Optional.empty() : Optional.of("outcomes are not received");
    }

    /** The partition of {@code outcomes} that this instance reads, for {@code CommandMeta}; null while it has none. */
    public @Nullable Integer outcomePartition() {
        OutcomeReader outcomes = reader;
        return outcomes == null ? null : outcomes.ownPartition();
    }

    /**
     * Sends a command; it is acknowledged by all replicas once {@link Ticket#sent()} completes.
     *
     * @throws org.apache.kafka.common.errors.RecordTooLargeException through {@code sent}, if it exceeds the limit
     */
    public Ticket send(RecordKey key, TurnCommand command) {
        var meta = command.meta();
        return send(Topics.TURN_COMMANDS, key, command, meta.commandId(), meta.outcomePartition(), meta.trace());
    }

    /** Sends a command to a bank, like {@link #send(RecordKey, TurnCommand)}. */
    public Ticket send(MemoryCommand command) {
        var meta = command.meta();
        RecordKey bank = command.bank().key();
        return send(Topics.MEMORY_COMMANDS, bank, command, meta.commandId(), meta.outcomePartition(), meta.trace());
    }

    /** Sends a command to a workflow process, like {@link #send(RecordKey, TurnCommand)}. */
    public Ticket send(WorkflowCommand command) {
        var meta = command.meta();
        RecordKey process = command.key();
        return send(
                Topics.WORKFLOW_COMMANDS, process, command, meta.commandId(), meta.outcomePartition(), meta.trace());
    }

    /** Sends a recall request to a bank; its result is the outcome of the ticket. */
    public Ticket send(RecallRequest request) {
        RecordKey bank = request.bank().key();
        return send(Topics.RECALL_REQUESTS, bank, request, request.callId(), request.outcomePartition(), null);
    }

    private <C> Ticket send(
            Topic<C> topic,
            RecordKey key,
            C command,
            UUID id,
            @Nullable Integer outcomePartition,
            @Nullable String trace) {
        var waiting = new Waiting(id, outcomePartition, System.nanoTime());
        var sent = new CompletableFuture<Void>();
        var ticket = new Ticket(id, sent, waiting.outcome, waiting.finished, () -> table.remove(waiting));
        if (!table.add(waiting)) {
            sent.completeExceptionally(new RejectedExecutionException("too many commands are in flight"));
            return ticket;
        }
        Producer<byte[], byte[]> to = producer;
        if (to == null) {
            sent.completeExceptionally(new IllegalStateException("the gateway is not started"));
            return ticket;
        }
        try {
            var record = RecordCodec.record(topic, key.toString(), command, id, trace);
            var _ = to.send(record, (_, failure) -> executor.execute(() -> complete(sent, failure)));
        } catch (RuntimeException e) { // closed, interrupted, or a command that cannot be serialized
            sent.completeExceptionally(e);
        }
        return ticket;
    }

    private static void complete(CompletableFuture<Void> sent, @Nullable Exception failure) {
        if (failure == null) {
            sent.complete(null);
        } else {
            sent.completeExceptionally(failure);
        }
    }

    private void sendDeadLetter(ProducerRecord<byte[], byte[]> deadLetter) {
        Producer<byte[], byte[]> to = producer;
        if (to != null) {
            var _ = to.send(deadLetter, (_, failure) -> {
                if (failure != null) {
                    LOG.atError()
                            .addKeyValue("offset", RecordSerde.header(deadLetter.headers(), DeadLetters.OFFSET))
                            .setCause(failure)
                            .log("dead letter of an unreadable outcome could not be sent");
                }
            });
        }
    }

    /** Number of open tickets. */
    int open() {
        return table.size();
    }

    /** Sends pending commands, then stops receiving outcomes. */
    @Override
    public synchronized void close() {
        Producer<byte[], byte[]> sending = producer;
        if (sending != null) {
            sending.close(Duration.ofSeconds(5));
        }
        OutcomeReader outcomes = reader;
        if (outcomes != null) {
            outcomes.close();
        }
        sweeper.shutdownNow();
        executor.shutdown();
    }

    /**
     * The progress of a command. Close it when it is no longer awaited.
     *
     * @param sent completes when Kafka has acknowledged the command
     * @param outcome completes with the first outcome of the command
     * @param finished completes when the turn has ended that the command started or joined; never for other commands
     */
    public record Ticket(
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
