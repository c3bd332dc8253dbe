package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.protocol.TurnInput;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.turn.DecisionContext;
import dev.parley.domain.turn.TurnDecision;
import dev.parley.domain.turn.TurnEffect;
import dev.parley.domain.turn.TurnMachine;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.definitions.DefinitionCatalogue;
import dev.parley.platform.definitions.ToolDigests;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.regex.CompiledPatterns;
import dev.parley.platform.schedule.Cron;
import dev.parley.platform.schema.CompiledSchemas;
import dev.parley.platform.streams.DecisionShell;
import dev.parley.platform.streams.DecisionShell.Input;
import dev.parley.platform.streams.DecisionShell.Kind;
import dev.parley.platform.streams.DecisionShell.Unsent;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.streams.Writes;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The processor of the turn topology: reads a record or an in-memory result, lets the turn machine decide in its
 * {@link DecisionShell}, and prepares store, events and effects.
 */
final class TurnProcessor implements Processor<byte[], byte[], byte[], byte[]>, DecisionShell.Machine<TurnInput> {
    private static final Duration TIMER_PRECISION = Duration.ofMillis(50);
    private static final int MAX_TIMERS_PER_RUN = 500;

    /** Outcomes checked for expiry per run. */
    private static final int OUTCOMES_PER_RUN = 2_000;

    private static final Duration OUTCOME_EXPIRY_INTERVAL = Duration.ofSeconds(10);

    private final DefinitionCatalogue catalogue;
    private final Tracing tracing;
    private final @Nullable MeterRegistry meters;
    private final CompiledPatterns patterns = new CompiledPatterns();
    private final CompiledSchemas schemas = new CompiledSchemas();
    private final DecisionShell.Machine<TurnInput> machine;
    private final LocalDispatch localDispatch;
    private final TopologyMembers members;

    private ProcessorContext<byte[], byte[]> context;
    private TaskDispatch dispatch;
    private TurnStore store;
    private TurnOutput output;
    private Sinks sinks;
    private DecisionShell<TurnInput> shell;
    private OrphanedCallDetector orphanedCalls;

    /** @param wrapper wraps the machine, for tests */
    @SuppressWarnings("NullAway.Init")
    TurnProcessor(
            DefinitionCatalogue catalogue,
            LocalDispatch localDispatch,
            TopologyMembers members,
            Tracing tracing,
            @Nullable MeterRegistry meters,
            UnaryOperator<DecisionShell.Machine<TurnInput>> wrapper) {
        this.catalogue = catalogue;
        this.tracing = tracing;
        this.meters = meters;
        this.localDispatch = localDispatch;
        this.members = members;
        this.machine = wrapper.apply(this);
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        store = new TurnStore(context, this::unreadable);
        var sinks = new Sinks(context, "turns");
        shell = new DecisionShell<>(TurnTopology.PROCESSOR, machine, context, sinks, store::throwIfFailed, meters);
        dispatch = localDispatch.forTask(context, this::onTaskAnswered);
        orphanedCalls = new OrphanedCallDetector(localDispatch, members, store);
        store.forEachSession(state -> shell.attempt(state.key(), () -> {
            arm(state);
            orphanedCalls.register(state);
            return state;
        }));
        this.sinks = sinks; // not before: nothing can be sent while rows are read
        output = new TurnOutput(sinks, dispatch, store, new ToolDigests(catalogue), tracing, meters);
        context.schedule(TIMER_PRECISION, PunctuationType.WALL_CLOCK_TIME, this::fireTimers);
        context.schedule(
                OUTCOME_EXPIRY_INTERVAL,
                PunctuationType.WALL_CLOCK_TIME,
                millis -> store.outcomes().forgetOld(now(), OUTCOMES_PER_RUN));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        step(record);
        dispatch.onProcessed();
    }

    @Override
    public void close() {
        shell.close();
        dispatch.close();
    }

    private void step(Record<byte[], byte[]> record) {
        RecordKey key;
        TurnInput input;
        try {
            key = RecordKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            input = read(record);
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            shell.unreadable(record, e);
            return;
        }
        shell.take(new Input<>(key, input, RecordCodec.trace(record.headers()), record));
    }

    /** Handles an in-memory result from a worker of this process. */
    private void onTaskAnswered(TaskDispatch.Answer answer) {
        answer.unshown().forEach(delta -> output.publishDelta(answer, delta, now()));
        shell.take(new Input<>(answer.key(), answer.result(), answer.trace(), null));
    }

    private String topic() {
        return context.recordMetadata().map(meta -> meta.topic()).orElse("");
    }

    private TurnInput read(Record<byte[], byte[]> record) {
        var topic = topic().equals(Topics.RESULTS.name()) ? Topics.RESULTS : Topics.TURN_COMMANDS;
        TurnInput input = (TurnInput) RecordCodec.read(topic, record.headers(), record.value());
        if (input == null) {
            throw new SerializationException("the record has no value");
        }
        return input;
    }

    /**
     * Sends an unreadable row of the store to the dead letters, except during initialisation, when nothing can be sent.
     */
    private void unreadable(byte[] rowKey, byte[] bytes, @Nullable UUID turnId) {
        String problem = "turn %s: a row of the history cannot be read".formatted(turnId);
        if (sinks == null) {
            shell.unreadableRow(rowKey, problem);
        } else {
            shell.deadLetterRow(rowKey, bytes, problem);
        }
    }

    @Override
    public Kind kind(TurnInput input) {
        return switch (input) {
            case TurnCommand _ -> Kind.COMMAND;
            case CallResult _ -> Kind.RESULT;
            case TurnInput.Tick _ -> Kind.TIMER;
        };
    }

    @Override
    public void decide(Input<TurnInput> input, Writes<TurnInput> writes) {
        SessionState state = store.session(input.key());
        TurnDecision decision = TurnMachine.decide(state, input.value(), decisionContext(state, input.value()));
        prepare(state, decision, input, writes);
    }

    /** After a timer the next one is set, also where nothing was to be done. */
    private void prepare(SessionState before, TurnDecision decision, Input<TurnInput> input, Writes<TurnInput> writes) {
        output.prepare(before, decision, now(), input.trace(), writes);
        SessionState after = decision.state();
        if (after != before) {
            writes.add(() -> {
                store.put(after);
                dispatch.requestCommit(TaskDispatch.AGE);
            });
        }
        if (after != before || input.value() instanceof TurnInput.Tick) {
            arming(after).ifPresent(writes::add);
        }
    }

    private DecisionContext decisionContext(SessionState state, TurnInput input) {
        Instant now = now();
        return new DecisionContext(
                now,
                definitions(state, input),
                patterns.decision(state.key().project()),
                schemas.decision(state.key().project()),
                Cron::next,
                index -> store.entries(state.key(), index, index + 1).getFirst(),
                id -> store.outcomes().find(state.key(), id, now));
    }

    private Definitions definitions(SessionState state, TurnInput input) {
        UUID host = state.exists()
                ? state.open().host()
                : input instanceof TurnCommand command ? command.meta().host() : AccessDirectory.DEFAULT_HOST;
        return catalogue.in(host, state.key().projectId());
    }

    @Override
    public void refuse(Input<TurnInput> command, Throwable cause, Writes<TurnInput> writes) {
        boolean isUnreadable = cause instanceof SerializationException;
        SessionState initial = SessionState.initial(command.key());
        List<TurnEffect> refusal = TurnMachine.refusal(
                command.key(),
                (TurnCommand) command.value(),
                isUnreadable ? LiveSessions.UNREADABLE : DecisionShell.FAILED,
                isUnreadable ? LiveSessions.UNREADABLE_TEXT : DecisionShell.FAILED_TEXT);
        output.prepare(initial, new TurnDecision(initial, List.of(), refusal), now(), command.trace(), writes);
    }

    @Override
    public Optional<TurnInput> failed(Input<TurnInput> result, Throwable cause) {
        return TurnMachine.failed((CallResult) result.value(), DecisionShell.detail(cause))
                .map(TurnInput.class::cast);
    }

    @Override
    public void fault(Input<TurnInput> input, Throwable cause, Writes<TurnInput> writes) {
        SessionState state = store.session(input.key());
        UUID callId = input.value() instanceof CallResult result ? result.callId() : null;
        prepare(
                state,
                TurnMachine.fault(state, callId, DecisionShell.detail(cause), decisionContext(state, input.value())),
                input,
                writes);
        writes.then(new TurnInput.Tick()); // the next turn starts
    }

    @Override
    public Unsent unsent(TurnInput input) {
        return input instanceof CallResult result ? Unsent.of(Topics.RESULTS, result) : Unsent.none();
    }

    private void arm(SessionState state) {
        arming(state).ifPresent(Runnable::run);
    }

    private Optional<Runnable> arming(SessionState state) {
        return TurnMachine.nextDue(state).map(due -> () -> shell.arm(state.key(), due));
    }

    private void fireTimers(long millis) {
        for (RecordKey key : orphanedCalls.takeLost()) {
            shell.attempt(key, () -> TurnMachine.retriesOfLostCalls(store.session(key)))
                    .ifPresent(lost -> lost.forEach(retry -> shell.take(new Input<>(key, retry, null, null))));
        }
        for (RecordKey key : shell.takeDue(MAX_TIMERS_PER_RUN)) {
            shell.take(new Input<>(key, new TurnInput.Tick(), null, null));
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }
}
