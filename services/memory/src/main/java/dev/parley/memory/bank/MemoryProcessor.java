package dev.parley.memory.bank;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.BankMachine;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankView;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryDecisions;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.bank.PartitionBanks.OpenBank;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.Timers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processor of the memory topology: lets the state machine of a bank decide on each record, then writes store, events,
 * index and effects. It is long because a record may have to wait until its bank is loaded, and because it has a case
 * for each effect.
 */
final class MemoryProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryProcessor.class);
    private static final Duration TIMER_PRECISION = Duration.ofMillis(250);
    private static final Duration TIMERS_BUDGET = Duration.ofMillis(500);
    private static final Duration EVICTION_INTERVAL = Duration.ofSeconds(1);
    /** Time before the deadline of a recall request at which it is refused because the bank is not ready. */
    private static final Duration REFUSED_BEFORE_DEADLINE = Duration.ofMillis(600);

    private static final Duration OUTCOMES_INTERVAL = Duration.ofSeconds(10);
    private static final int OUTCOMES_AT_ONCE = 2_000;

    private final Banks banks;
    private final RecallService recalls;
    private final Set<String> models;
    private final LocalDispatch localDispatch;
    private final Timers timers = new Timers();
    private PartitionBanks partitionBanks;
    private PendingInputs pending;
    private PendingErasures erasures;
    private ProcessorContext<byte[], byte[]> context;
    private TaskDispatch dispatch;
    private MemoryStore store;
    private Sinks sinks;

    @SuppressWarnings("NullAway.Init")
    MemoryProcessor(Banks banks, RecallService recalls, Set<String> models, LocalDispatch localDispatch) {
        this.banks = banks;
        this.recalls = recalls;
        this.models = models;
        this.localDispatch = localDispatch;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        dispatch = localDispatch.forTask(context, this::onAnswered);
        store = new MemoryStore(context);
        sinks = new Sinks(context, "memory");
        partitionBanks = banks.forPartition();
        pending = new PendingInputs(store);
        erasures = new PendingErasures(store, banks.limits().maxErasedEvents(), this::erase);
        store.eachBank(this::arm);
        context.schedule(TIMER_PRECISION, PunctuationType.WALL_CLOCK_TIME, this::fireTimers);
        context.schedule(EVICTION_INTERVAL, PunctuationType.WALL_CLOCK_TIME, millis -> partitionBanks.evict());
        context.schedule(
                OUTCOMES_INTERVAL,
                PunctuationType.WALL_CLOCK_TIME,
                millis -> store.outcomes().forgetOld(now(), OUTCOMES_AT_ONCE));
    }

    @Override
    public void close() {
        dispatch.close();
        partitionBanks.close();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        step(record);
        dispatch.onProcessed();
    }

    private void step(Record<byte[], byte[]> record) {
        RecordKey key;
        MemoryInput input;
        try {
            key = RecordKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            if (!BankRef.isKey(key)) {
                return; // a result for a session
            }
            if (topic().equals(Topics.RECALL_REQUESTS.name())) {
                recall(key, RecordCodec.read(Topics.RECALL_REQUESTS, record.headers(), record.value()));
                return;
            }
            input = read(record);
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            deadLetterUnreadable(record, e);
            return;
        }
        accept(key, input, RecordCodec.trace(record.headers()), () -> record);
    }

    private void deadLetterUnreadable(Record<byte[], byte[]> record, RuntimeException cause) {
        LOG.atWarn()
                .addKeyValue("topic", topic())
                .setCause(cause)
                .log("unreadable record sent to the dead-letter topic");
        sinks.deadLetter(record, MemoryTopology.PROCESSOR, cause);
    }

    /** The result of a worker of this process. */
    private void onAnswered(TaskDispatch.Answer answer) {
        var input = new MemoryInput.Answered(answer.result());
        accept(answer.key(), input, answer.trace(), () -> record(answer.key(), input, answer.trace()));
    }

    private void accept(
            RecordKey key, MemoryInput input, @Nullable String trace, Supplier<Record<byte[], byte[]>> record) {
        Optional<OpenBank> bank = pending.contains(key) ? Optional.empty() : open(key);
        if (bank.isPresent()) {
            handleOrDeadLetter(key, bank.get(), input, trace, record);
        } else {
            pending.add(key, input, trace);
        }
    }

    /** The bank with this key; empty while it is loading. */
    private Optional<OpenBank> open(RecordKey key) {
        return partitionBanks.open(key, store.bank(key).lastSeq(), events(key));
    }

    /** Decides, and dead-letters the record where the state machine fails on it. */
    private void handleOrDeadLetter(
            RecordKey key,
            OpenBank bank,
            MemoryInput input,
            @Nullable String trace,
            Supplier<Record<byte[], byte[]>> record) {
        try {
            handle(key, bank, input, trace);
        } catch (UndecidableException e) {
            LOG.atError().addKeyValue("bank", key).setCause(e.reason).log("decision failed on a record");
            sinks.deadLetter(record.get(), MemoryTopology.PROCESSOR, e.reason);
            refuse(key, input, trace);
            if (input instanceof MemoryInput.Answered answered) {
                handle(key, bank, new MemoryInput.Unusable(answered.result().callId()), trace);
            }
        }
    }

    private void recall(RecordKey key, RecallRequest request) {
        if (!request.bank().key().equals(key)) {
            throw new IllegalArgumentException(
                    "a recall request for " + request.bank().key() + " has the record key " + key);
        }
        if (request.deadline().isBefore(now())) {
            return; // the caller has timed out
        }
        BankState state = store.bank(key);
        long lastSeq = state.lastSeq();
        List<Directive> directives = Directive.holding(state.directives());
        if (lastSeq == 0) {
            recalls.submit(request, partitionBanks.emptyIndex(), lastSeq, directives);
            return;
        }
        Optional<OpenBank> bank = pending.contains(key) ? Optional.empty() : open(key);
        if (bank.isPresent()) {
            recalls.submit(request, bank.get().index(), lastSeq, directives);
        } else if (!pending.add(key, request)) {
            refuseNotReady(request);
        }
    }

    private void refuseNotReady(RecallRequest request) {
        perform(
                request.bank().key(),
                new MemoryEffect.SendOutcome(request.outcomePartition(), RecallService.notReady(request)),
                null);
    }

    private String topic() {
        return context.recordMetadata().map(meta -> meta.topic()).orElse("");
    }

    private MemoryInput read(Record<byte[], byte[]> record) {
        if (record.value() == null) {
            throw new SerializationException("a record without a value");
        }
        return topic().equals(Topics.RESULTS.name())
                ? new MemoryInput.Answered(
                        RecordCodec.<CallResult>read(Topics.RESULTS, record.headers(), record.value()))
                : RecordCodec.<MemoryCommand>read(Topics.MEMORY_COMMANDS, record.headers(), record.value());
    }

    private void handle(RecordKey key, OpenBank bank, MemoryInput input, @Nullable String trace) {
        BankState before = store.bank(key);
        MemoryDecisions decisions = decide(before, bank, input);
        for (MemoryEvent event : decisions.events()) {
            publish(key, event, trace);
            store.put(key, event);
        }
        bank.apply(decisions.events());
        decisions.effects().forEach(effect -> perform(key, effect, trace));
        if (decisions.state() != before) {
            store.put(decisions.state());
            dispatch.requestCommit(TaskDispatch.AGE);
            arm(decisions.state());
        }
    }

    private PartitionBanks.Events events(RecordKey key) {
        return new PartitionBanks.Events() {
            @Override
            public void each(long from, long to, Consumer<MemoryEvent> consumer) {
                store.eachEvent(key, from, to, consumer);
            }

            @Override
            public MemoryEvent get(long number) {
                return store.event(key, number);
            }
        };
    }

    private MemoryDecisions decide(BankState state, OpenBank bank, MemoryInput input) {
        Instant now = now();
        RecordKey key = state.key();
        var view = new BankView(
                now,
                bank.memory(),
                bank.indexing()::nearest,
                id -> store.outcomes().find(key, id, now),
                number -> store.waiting(key, number),
                (number, limit) -> store.events(key, number, limit),
                models);
        try {
            return BankMachine.decide(state, input, view);
        } catch (RuntimeException e) {
            throw new UndecidableException(e);
        }
    }

    private void publish(RecordKey key, MemoryEvent event, @Nullable String trace) {
        String id = key + "#" + event.meta().seq();
        send(Topics.MEMORY_EVENTS, id, event, Ids.of("event", id), trace);
    }

    private void perform(RecordKey key, MemoryEffect effect, @Nullable String trace) {
        switch (effect) {
            case MemoryEffect.Enqueue chunk -> store.enqueue(key, chunk.number(), chunk.waiting());
            case MemoryEffect.Dequeue chunk -> store.dequeue(key, chunk.number());
            case MemoryEffect.CallModel(ModelRequest request) ->
                request(Topics.MODEL_REQUESTS, key, request, Ids.of("ask", request.callId(), request.attempt()), trace);
            case MemoryEffect.Embed(EmbedRequest request) ->
                request(Topics.EMBED_REQUESTS, key, request, Ids.of("ask", request.callId(), request.attempt()), trace);
            case MemoryEffect.RunSearch run ->
                open(key).ifPresent(bank -> recalls.submit(run.search(), bank.index())); // open, as it decided
            case MemoryEffect.SendCommand send ->
                send(
                        Topics.MEMORY_COMMANDS,
                        send.command().bank().key().toString(),
                        send.command(),
                        send.command().meta().commandId(),
                        trace);
            case MemoryEffect.SendOutcome send -> sendOutcome(send, trace);
            case MemoryEffect.StoreOutcome stored ->
                store.outcomes().remember(key, stored.commandId(), stored.outcome(), now());
            case MemoryEffect.Erase erase -> erasures.add(key, erase.events());
        }
    }

    private <V> void request(Topic<? super V> topic, RecordKey key, V request, UUID id, @Nullable String trace) {
        dispatch.request(topic, key, request, trace, () -> {
            dispatch.requestCommit(Duration.ZERO); // the worker reads it after the commit
            send(topic, key.toString(), request, id, trace);
        });
    }

    private void sendOutcome(MemoryEffect.SendOutcome send, @Nullable String trace) {
        dispatch.requestCommit(Duration.ZERO);
        if (!dispatch.notifyWaiter(send.partition(), send.outcome())) {
            send(
                    Topics.OUTCOMES,
                    Integer.toString(send.partition()),
                    send.outcome(),
                    Ids.of("outcome", send.outcome(), send.partition()),
                    trace);
        }
    }

    private void erase(RecordKey key, long event) {
        store.erase(key, event);
        sinks.tombstone(Topics.MEMORY_EVENTS, key + "#" + event, now());
    }

    private <V> void send(Topic<? super V> topic, String key, V value, UUID id, @Nullable String trace) {
        sinks.send(topic, key, value, id, now(), trace);
    }

    /** A command that the machine could not decide is still answered. */
    private void refuse(RecordKey key, MemoryInput input, @Nullable String trace) {
        if (input instanceof MemoryCommand command) {
            CommandMeta meta = command.meta();
            var refused =
                    new Outcome.Refused(key, meta.commandId(), "internal_error", "something went wrong; see the logs");
            if (!(command instanceof MemoryCommand.Forget)) { // retried until it is accepted
                perform(key, new MemoryEffect.StoreOutcome(meta.commandId(), refused), trace);
            }
            if (meta.outcomePartition() != null) {
                perform(key, new MemoryEffect.SendOutcome(meta.outcomePartition(), refused), trace);
            }
        }
    }

    private void arm(BankState state) {
        Instant now = now(); // an overdue bank is due now, so that banks that have waited longer come first
        BankMachine.nextDue(state).ifPresent(due -> timers.arm(state.key(), due.isBefore(now) ? now : due));
    }

    /** Banks may have to be loaded first: the work so far is committed before others are handled. */
    private void fireTimers(long millis) {
        long deadline = System.nanoTime() + TIMERS_BUDGET.toNanos();
        partitionBanks.beginTransaction();
        partitionBanks.confirmOwnership();
        partitionBanks.openFilled();
        List<RecordKey> waiting = pending.banks();
        waiting.forEach(key -> catchUp(key, deadline));
        pending.removeExpired(now().plus(REFUSED_BEFORE_DEADLINE)).forEach(this::refuseNotReady);
        List<RecordKey> due = timers.takeDue(now(), 1);
        boolean erased = erasures.resume(key -> !partitionBanks.isFilling(key), () -> System.nanoTime() < deadline);
        boolean idle = waiting.isEmpty() && due.isEmpty() && !erased;
        while (!due.isEmpty()) {
            due.forEach(this::fire);
            due = System.nanoTime() < deadline ? timers.takeDue(now(), 1) : List.of();
        }
        if (!idle) {
            context.commit();
        }
    }

    /** Processes what waits for a bank, if it is loaded and time is left. */
    private void catchUp(RecordKey key, long deadline) {
        Optional<OpenBank> bank = open(key);
        while (bank.isPresent() && System.nanoTime() < deadline) {
            Optional<PendingInputs.Parked> parked = pending.next(key);
            if (parked.isEmpty()) {
                pending.remove(key).forEach(request -> recall(key, request));
                fire(key);
                return;
            }
            MemoryInput input = parked.get().input();
            String trace = parked.get().trace();
            handleOrDeadLetter(key, bank.get(), input, trace, () -> record(key, input, trace));
        }
    }

    /** An input that waited, or came through the in-process call channel, as a record. */
    private Record<byte[], byte[]> record(RecordKey key, MemoryInput input, @Nullable String trace) {
        var headers = new RecordHeaders();
        if (trace != null) {
            headers.add(RecordCodec.TRACE, trace.getBytes(StandardCharsets.UTF_8));
        }
        byte[] value = switch (input) {
            case MemoryCommand command -> RecordCodec.write(Topics.MEMORY_COMMANDS, headers, command);
            case MemoryInput.Answered answered -> RecordCodec.write(Topics.RESULTS, headers, answered.result());
            case MemoryInput.Unusable _, MemoryInput.Tick _ ->
                throw new IllegalArgumentException("only inputs from topics can wait");
        };
        return new Record<>(key.toString().getBytes(StandardCharsets.UTF_8), value, now().toEpochMilli(), headers);
    }

    private void fire(RecordKey key) {
        Optional<OpenBank> bank = pending.contains(key) ? Optional.empty() : open(key);
        if (bank.isEmpty()) {
            pending.add(key);
            return;
        }
        try {
            handle(key, bank.get(), new MemoryInput.Tick(), null);
            arm(store.bank(key));
        } catch (UndecidableException e) {
            LOG.atError().addKeyValue("bank", key).setCause(e.reason).log("decision failed on a timer");
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }

    /** The state machine failed on an input. It changed nothing, so the record can be dead-lettered. */
    private static final class UndecidableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final RuntimeException reason;

        UndecidableException(RuntimeException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
