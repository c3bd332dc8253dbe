package dev.parley.memory.bank;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankView;
import dev.parley.domain.memory.EmbedRequest;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent;
import dev.parley.domain.memory.MemoryInput;
import dev.parley.domain.memory.RecallRequest;
import dev.parley.domain.memory.machine.BankMachine;
import dev.parley.domain.memory.machine.MemoryDecisions;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Outcome;
import dev.parley.memory.bank.PartitionBanks.OpenBank;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.StreamThread;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.DecisionShell;
import dev.parley.platform.streams.DecisionShell.Input;
import dev.parley.platform.streams.DecisionShell.Kind;
import dev.parley.platform.streams.DecisionShell.Unsent;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.Writes;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Processor of the memory topology: lets the state machine of a bank decide on each record in its {@link
 * DecisionShell}, and prepares store, events, index and effects. Inputs of a bank that is loading wait.
 */
final class MemoryProcessor implements Processor<byte[], byte[], byte[], byte[]>, DecisionShell.Machine<BankInput> {
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
    private final TimeZones zones;
    private final LocalDispatch localDispatch;
    private final @Nullable MeterRegistry meters;
    private final DecisionShell.Machine<BankInput> machine;
    private PartitionBanks partitionBanks;
    private PendingInputs pending;
    private PendingErasures erasures;
    private ProcessorContext<byte[], byte[]> context;
    private TaskDispatch dispatch;
    private MemoryStore store;
    private Sinks sinks;
    private DecisionShell<BankInput> shell;
    /** Events that an open bank has and the store may not have yet; read by recalls, too. */
    private volatile Applied applied = new Applied(RecordKey.of("none"), List.of());

    private record Applied(RecordKey key, List<MemoryEvent> events) {
        Optional<MemoryEvent> find(RecordKey bank, long number) {
            return events.stream()
                    .filter(event -> event.meta().seq() == number && bank.equals(key))
                    .findFirst();
        }
    }

    /** @param wrapper wraps the machine, for tests */
    @SuppressWarnings("NullAway.Init")
    MemoryProcessor(
            Banks banks,
            RecallService recalls,
            Set<String> models,
            TimeZones zones,
            LocalDispatch localDispatch,
            @Nullable MeterRegistry meters,
            UnaryOperator<DecisionShell.Machine<BankInput>> wrapper) {
        this.banks = banks;
        this.recalls = recalls;
        this.models = models;
        this.zones = zones;
        this.localDispatch = localDispatch;
        this.meters = meters;
        this.machine = wrapper.apply(this);
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        dispatch = localDispatch.forTask(
                context, answer -> take(answer.key(), new MemoryInput.Answered(answer.result()), answer.trace(), null));
        store = new MemoryStore(context);
        sinks = new Sinks(context, "memory");
        shell = new DecisionShell<>(MemoryTopology.PROCESSOR, machine, context, sinks, store::throwIfFailed, meters);
        partitionBanks = banks.forPartition();
        pending = new PendingInputs(store);
        erasures = new PendingErasures(store, banks.limits().maxErasedEvents(), this::erase);
        store.eachBank(
                state -> shell.attempt(state.key(), () -> arm(state)),
                (row, _) -> shell.unreadableRow(row, "bank cannot be read: its commands are refused"));
        context.schedule(TIMER_PRECISION, PunctuationType.WALL_CLOCK_TIME, this::fireTimers);
        context.schedule(EVICTION_INTERVAL, PunctuationType.WALL_CLOCK_TIME, millis -> partitionBanks.evict());
        context.schedule(
                OUTCOMES_INTERVAL,
                PunctuationType.WALL_CLOCK_TIME,
                millis -> store.outcomes().forgetOld(now(), OUTCOMES_AT_ONCE));
    }

    @Override
    public void close() {
        shell.close();
        StreamThread.current().wakeAt(pending, null);
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
        BankInput input;
        try {
            key = RecordKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            if (!BankRef.isKey(key)) {
                return; // a result for a session
            }
            input = read(record);
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            shell.unreadable(record, e);
            return;
        }
        shell.take(new Input<>(key, input, RecordCodec.trace(record.headers()), record));
    }

    private String topic() {
        return context.recordMetadata().map(meta -> meta.topic()).orElse("");
    }

    private BankInput read(Record<byte[], byte[]> record) {
        if (record.value() == null) {
            throw new SerializationException("a record without a value");
        }
        String topic = topic();
        if (topic.equals(Topics.RECALL_REQUESTS.name())) {
            return new BankInput.Recall(
                    RecordCodec.read(Topics.RECALL_REQUESTS, record.headers(), record.value()), false);
        }
        MemoryInput input = topic.equals(Topics.RESULTS.name())
                ? new MemoryInput.Answered(
                        RecordCodec.<CallResult>read(Topics.RESULTS, record.headers(), record.value()))
                : RecordCodec.<MemoryCommand>read(Topics.MEMORY_COMMANDS, record.headers(), record.value());
        return new BankInput.Decide(input, false);
    }

    private void take(
            RecordKey key, MemoryInput input, @Nullable String trace, @Nullable Record<byte[], byte[]> record) {
        shell.take(new Input<>(key, new BankInput.Decide(input, false), trace, record));
    }

    @Override
    public Kind kind(BankInput input) {
        return switch (input) {
            case BankInput.Recall _ -> Kind.COMMAND;
            case BankInput.Decide(MemoryInput decide, boolean _) ->
                switch (decide) {
                    case MemoryCommand _ -> Kind.COMMAND;
                    case MemoryInput.Answered _, MemoryInput.Unusable _ -> Kind.RESULT;
                    case MemoryInput.Tick _ -> Kind.TIMER;
                };
        };
    }

    @Override
    public void decide(Input<BankInput> input, Writes<BankInput> writes) {
        switch (input.value()) {
            case BankInput.Recall(RecallRequest request, boolean waited) ->
                recall(input.key(), request, waited, writes);
            case BankInput.Decide(MemoryInput decide, boolean waited) ->
                decide(input.key(), decide, waited, input.trace(), writes);
        }
    }

    private void decide(
            RecordKey key, MemoryInput input, boolean waited, @Nullable String trace, Writes<BankInput> writes) {
        Optional<OpenBank> bank = ready(key, waited);
        if (bank.isPresent()) {
            BankState state = store.bank(key);
            prepare(key, bank.get(), state, BankMachine.decide(state, input, view(state, bank.get())), trace, writes);
            if (input instanceof MemoryInput.Tick) {
                writes.add(() -> arm(store.bank(key)));
            }
        } else if (input instanceof MemoryInput.Tick) {
            writes.add(() -> pending.add(key));
        } else {
            writes.add(() -> pending.add(key, input, trace));
        }
    }

    /** The bank, if it is loaded and nothing waits for it before this input. */
    private Optional<OpenBank> ready(RecordKey key, boolean waited) {
        return waited || !pending.contains(key) ? open(key) : Optional.empty();
    }

    /** The bank with this key; empty while it is loading. */
    private Optional<OpenBank> open(RecordKey key) {
        return partitionBanks.open(key, store.bank(key).lastSeq(), events(key));
    }

    private void recall(RecordKey key, RecallRequest request, boolean waited, Writes<BankInput> writes) {
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
            writes.add(() -> recalls.submit(request, partitionBanks.emptyIndex(), lastSeq, directives));
            return;
        }
        Optional<OpenBank> bank = ready(key, waited);
        writes.add(() -> {
            if (bank.isPresent()) {
                recalls.submit(request, bank.get().index(), lastSeq, directives);
            } else if (!pending.add(key, request)) {
                refuseNotReady(request);
            }
        });
    }

    private void refuseNotReady(RecallRequest request) {
        sendOutcome(request.outcomePartition(), RecallService.notReady(request), null);
    }

    /** Prepares what is stored and sent; the open bank has the events at once, or is loaded again. */
    private void prepare(
            RecordKey key,
            OpenBank bank,
            BankState before,
            MemoryDecisions decisions,
            @Nullable String trace,
            Writes<BankInput> writes) {
        for (MemoryEvent event : decisions.events()) {
            String id = key + "#" + event.meta().seq();
            send(Topics.MEMORY_EVENTS, id, event, Ids.of("event", id), trace, writes);
            writes.add(store.prepare(key, event));
        }
        decisions.effects().forEach(effect -> prepare(key, bank, effect, trace, writes));
        if (decisions.state() != before) {
            writes.add(store.prepare(decisions.state()));
            writes.add(() -> {
                dispatch.requestCommit(TaskDispatch.AGE);
                arm(decisions.state());
            });
        }
        try {
            applied = new Applied(key, decisions.events());
            bank.apply(decisions.events());
        } catch (RuntimeException | Error e) {
            partitionBanks.discard(key);
            throw e;
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
                return applied.find(key, number).orElseGet(() -> store.event(key, number));
            }
        };
    }

    private BankView view(BankState state, OpenBank bank) {
        Instant now = now();
        RecordKey key = state.key();
        return new BankView(
                now,
                bank.memory(),
                bank.indexing()::nearest,
                id -> store.outcomes().find(key, id, now),
                number -> store.waiting(key, number),
                (number, limit) -> store.events(key, number, limit),
                models,
                zones);
    }

    private void prepare(
            RecordKey key, OpenBank bank, MemoryEffect effect, @Nullable String trace, Writes<BankInput> writes) {
        switch (effect) {
            case MemoryEffect.Enqueue chunk -> writes.add(store.prepare(key, chunk.number(), chunk.waiting()));
            case MemoryEffect.Dequeue chunk -> writes.add(() -> store.dequeue(key, chunk.number()));
            case MemoryEffect.CallModel(ModelRequest request) ->
                request(Topics.MODEL_REQUESTS, key, request, request.callId(), request.attempt(), trace, writes);
            case MemoryEffect.Embed(EmbedRequest request) ->
                request(Topics.EMBED_REQUESTS, key, request, request.callId(), request.attempt(), trace, writes);
            case MemoryEffect.RunSearch run -> writes.add(() -> recalls.submit(run.search(), bank.index()));
            case MemoryEffect.SendCommand(MemoryCommand command) ->
                send(
                        Topics.MEMORY_COMMANDS,
                        command.bank().key().toString(),
                        command,
                        command.meta().commandId(),
                        trace,
                        writes);
            case MemoryEffect.SendOutcome send ->
                writes.add(() -> sendOutcome(send.partition(), send.outcome(), trace));
            case MemoryEffect.StoreOutcome stored ->
                writes.add(store.outcomes().prepare(key, stored.commandId(), stored.outcome(), now()));
            case MemoryEffect.Erase erase -> writes.add(() -> erasures.add(key, erase.events()));
        }
    }

    private <V> void request(
            Topic<? super V> topic,
            RecordKey key,
            V request,
            UUID callId,
            int attempt,
            @Nullable String trace,
            Writes<BankInput> writes) {
        UUID id = Ids.of("ask", callId, attempt);
        writes.add(() -> dispatch.request(topic, key, request, trace, () -> {
            dispatch.requestCommit(Duration.ZERO); // the worker reads it after the commit
            sinks.send(topic, key.toString(), request, id, now(), trace);
        }));
    }

    private void sendOutcome(int partition, Outcome outcome, @Nullable String trace) {
        dispatch.requestCommit(Duration.ZERO);
        if (!dispatch.notifyWaiter(partition, outcome)) {
            UUID id = Ids.of("outcome", outcome, partition);
            sinks.send(Topics.OUTCOMES, Integer.toString(partition), outcome, id, now(), trace);
        }
    }

    private void erase(RecordKey key, long event) {
        store.erase(key, event);
        sinks.tombstone(Topics.MEMORY_EVENTS, key + "#" + event, now());
    }

    private <V> void send(
            Topic<? super V> topic, String key, V value, UUID id, @Nullable String trace, Writes<BankInput> writes) {
        writes.add(sinks.prepare(topic, key, value, id, now(), trace));
    }

    @Override
    public void refuse(Input<BankInput> input, Throwable cause, Writes<BankInput> writes) {
        switch (input.value()) {
            case BankInput.Recall(RecallRequest request, boolean _) ->
                refuse(input, request.callId(), request.outcomePartition(), writes);
            case BankInput.Decide(MemoryCommand command, boolean _) ->
                refuse(input, command.meta().commandId(), command.meta().outcomePartition(), writes);
            case BankInput.Decide _ -> {} // nobody waits
        }
    }

    private void refuse(Input<BankInput> input, UUID commandId, @Nullable Integer partition, Writes<BankInput> writes) {
        if (partition != null) {
            var refused = new Outcome.Refused(input.key(), commandId, DecisionShell.FAILED, DecisionShell.FAILED_TEXT);
            writes.add(() -> sendOutcome(partition, refused, input.trace()));
        }
    }

    @Override
    public Optional<BankInput> failed(Input<BankInput> input, Throwable cause) {
        return callId(input.value())
                .filter(_ -> !isProgress(input.value()))
                .map(callId -> new BankInput.Decide(
                        new MemoryInput.Unusable(callId), input.value().waited()));
    }

    /** The lease of a call expires without it. */
    private static boolean isProgress(BankInput input) {
        return input instanceof BankInput.Decide(MemoryInput.Answered(CallResult result), boolean _)
                && result instanceof CallResult.CallProgress;
    }

    private static Optional<UUID> callId(BankInput input) {
        return switch (input) {
            case BankInput.Decide(MemoryInput.Answered(CallResult result), boolean _) -> Optional.of(result.callId());
            case BankInput.Decide(MemoryInput.Unusable(UUID callId), boolean _) -> Optional.of(callId);
            case BankInput.Decide _, BankInput.Recall _ -> Optional.empty();
        };
    }

    @Override
    public void fault(Input<BankInput> input, Throwable cause, Writes<BankInput> writes) {
        RecordKey key = input.key();
        open(key).ifPresent(bank -> {
            BankState state = store.bank(key);
            UUID callId = callId(input.value()).orElse(null);
            prepare(key, bank, state, BankMachine.fault(state, callId, view(state, bank)), input.trace(), writes);
        });
    }

    @Override
    public Unsent unsent(BankInput input) {
        return switch (input) {
            case BankInput.Recall(RecallRequest request, boolean _) -> Unsent.of(Topics.RECALL_REQUESTS, request);
            case BankInput.Decide(MemoryCommand command, boolean _) -> Unsent.of(Topics.MEMORY_COMMANDS, command);
            case BankInput.Decide(MemoryInput.Answered(CallResult result), boolean _) ->
                Unsent.of(Topics.RESULTS, result);
            case BankInput.Decide _ -> Unsent.none();
        };
    }

    /** Sets the timer of a bank. An overdue one is due now, so that banks that have waited longer come first. */
    private BankState arm(BankState state) {
        Instant now = now();
        BankMachine.nextDue(state).ifPresent(due -> shell.arm(state.key(), due.isBefore(now) ? now : due));
        return state;
    }

    /** Banks may have to be loaded first: the work so far is committed before others are handled. */
    private void fireTimers(long millis) {
        long deadline = System.nanoTime() + TIMERS_BUDGET.toNanos();
        partitionBanks.beginTransaction();
        partitionBanks.confirmOwnership();
        partitionBanks.openFilled();
        store.throwIfFailed(); // while a bank was loaded
        List<RecordKey> waiting = pending.banks();
        waiting.forEach(key -> catchUp(key, deadline));
        pending.removeExpired(now().plus(REFUSED_BEFORE_DEADLINE)).forEach(this::refuseNotReady);
        List<RecordKey> due = shell.takeDue(1);
        boolean erased = erasures.resume(key -> !partitionBanks.isFilling(key), () -> System.nanoTime() < deadline);
        boolean idle = waiting.isEmpty() && due.isEmpty() && !erased;
        while (!due.isEmpty()) {
            due.forEach(this::fire);
            due = System.nanoTime() < deadline ? shell.takeDue(1) : List.of();
        }
        StreamThread.current().wakeAt(pending, idle ? null : now().plus(TIMER_PRECISION));
        if (!idle) {
            context.commit();
        }
    }

    /** Processes what waits for a bank, if it is loaded and time is left. Where it cannot be loaded, each input fails. */
    private void catchUp(RecordKey key, long deadline) {
        boolean isLoading =
                shell.attempt(key, () -> open(key)).filter(Optional::isEmpty).isPresent();
        while (!isLoading && System.nanoTime() < deadline) {
            Optional<PendingInputs.Parked> parked = pending.next(key, this::unreadable);
            if (parked.isEmpty()) {
                pending.remove(key)
                        .forEach(request ->
                                shell.take(new Input<>(key, new BankInput.Recall(request, true), null, null)));
                fire(key);
                return;
            }
            shell.take(new Input<>(
                    key,
                    new BankInput.Decide(parked.get().input(), true),
                    parked.get().trace(),
                    null));
        }
    }

    private void unreadable(byte[] row, byte[] bytes) {
        shell.deadLetterRow(row, bytes, "an input that waited for its bank cannot be read");
    }

    private void fire(RecordKey key) {
        take(key, new MemoryInput.Tick(), null, null);
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }
}
