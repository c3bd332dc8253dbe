package dev.parley.agents.turn;

import dev.parley.domain.RecordKey;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.Outcome;
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
import dev.parley.platform.schema.CompiledSchemas;
import dev.parley.platform.streams.Timers;
import dev.parley.platform.streams.TopologyMembers;
import dev.parley.platform.trace.Tracing;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processor of the turn topology: reads a record or an in-memory result, lets the turn machine decide, and writes
 * store, events and effects.
 */
final class TurnProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(TurnProcessor.class);
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
    private final Timers timers = new Timers();
    private final LocalDispatch localDispatch;
    private final TopologyMembers members;
    private final Counter unreadableRows;

    private ProcessorContext<byte[], byte[]> context;
    private TaskDispatch dispatch;
    private TurnStore store;
    private TurnOutput output;
    private OrphanedCallDetector orphanedCalls;

    @SuppressWarnings("NullAway.Init")
    TurnProcessor(
            DefinitionCatalogue catalogue,
            LocalDispatch localDispatch,
            TopologyMembers members,
            Tracing tracing,
            @Nullable MeterRegistry meters) {
        this.catalogue = catalogue;
        this.tracing = tracing;
        this.meters = meters;
        this.localDispatch = localDispatch;
        this.members = members;
        unreadableRows = Counter.builder("parley.history.unreadable")
                .description("Rows of sessions that cannot be read; the dead letters have them unchanged")
                .register(meters == null ? new CompositeMeterRegistry() : meters);
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        store = new TurnStore(context, this::unreadable);
        dispatch = localDispatch.forTask(context, this::onTaskAnswered);
        orphanedCalls = new OrphanedCallDetector(localDispatch, members, store);
        store.forEachSession(state -> {
            arm(state);
            orphanedCalls.register(state);
        });
        output = new TurnOutput(context, dispatch, store, new ToolDigests(catalogue), tracing, meters);
        context.schedule(TIMER_PRECISION, PunctuationType.WALL_CLOCK_TIME, this::fireTimers);
        context.schedule(
                OUTCOME_EXPIRY_INTERVAL,
                PunctuationType.WALL_CLOCK_TIME,
                millis -> store.outcomes().forgetOld(now(), OUTCOMES_PER_RUN));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        handleRecord(record);
        dispatch.onProcessed();
    }

    @Override
    public void close() {
        dispatch.close();
    }

    private void handleRecord(Record<byte[], byte[]> record) {
        String trace = RecordCodec.trace(record.headers());
        RecordKey key;
        TurnInput input;
        try {
            key = RecordKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            input = read(record);
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            LOG.atWarn()
                    .addKeyValue("topic", topic())
                    .setCause(e)
                    .log("unreadable record sent to the dead-letter topic");
            output.deadLetter(record, TurnTopology.PROCESSOR, e);
            return;
        }
        handleOrDeadLetter(key, input, trace, record);
    }

    private void handleOrDeadLetter(
            RecordKey key, TurnInput input, @Nullable String trace, Record<byte[], byte[]> record) {
        try {
            handle(key, input, trace);
        } catch (UndecidableException e) {
            LOG.atError().addKeyValue("session", key).setCause(e.reason).log("decision failed on a record");
            output.deadLetter(record, TurnTopology.PROCESSOR, e.reason);
            refuseUndecided(key, input, trace, e.reason);
        }
    }

    /** Handles an in-memory result from a worker of this process. */
    private void onTaskAnswered(TaskDispatch.Answer answer) {
        answer.unshown().forEach(delta -> output.publishDelta(answer, delta, now()));
        try {
            handle(answer.key(), answer.result(), answer.trace());
        } catch (UndecidableException e) {
            LOG.atError()
                    .addKeyValue("session", answer.key())
                    .setCause(e.reason)
                    .log("decision failed on a result");
            output.deadLetter(answer, TurnTopology.PROCESSOR, e.reason);
        }
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
        String row = new String(rowKey, StandardCharsets.UTF_8);
        LOG.atError().addKeyValue("row", row).addKeyValue("turn", turnId).log("row of the history cannot be read");
        unreadableRows.increment();
        if (output != null) {
            var cause = new SerializationException("turn %s: a row of the history cannot be read".formatted(turnId));
            output.deadLetter(new Record<>(rowKey, bytes, 0), TurnTopology.PROCESSOR, cause);
        }
    }

    private SessionState session(RecordKey key) {
        try {
            return store.session(key);
        } catch (SerializationException e) {
            throw new UndecidableException(e);
        }
    }

    private void handle(RecordKey key, TurnInput input, @Nullable String trace) {
        Deque<TurnInput> inputs = new ArrayDeque<>(List.of(input));
        SessionState before = session(key);
        SessionState state = before;
        while (!inputs.isEmpty()) {
            TurnDecision decisions = decide(state, inputs.poll());
            inputs.addAll(output.write(state, decisions, now(), trace));
            state = decisions.state();
        }
        if (state != before) {
            store.put(state);
            dispatch.requestCommit(TaskDispatch.AGE);
            arm(state);
        }
    }

    private TurnDecision decide(SessionState state, TurnInput input) {
        Instant now = now();
        try {
            return TurnMachine.decide(
                    state,
                    input,
                    new DecisionContext(
                            now,
                            definitions(state, input),
                            patterns.decision(state.key().project()),
                            schemas.decision(state.key().project()),
                            index ->
                                    store.entries(state.key(), index, index + 1).getFirst(),
                            id -> store.outcomes().find(state.key(), id, now)));
        } catch (IllegalStateException
                | IllegalArgumentException
                | NullPointerException
                | NoSuchElementException
                | IndexOutOfBoundsException e) {
            throw new UndecidableException(e);
        }
    }

    private Definitions definitions(SessionState state, TurnInput input) {
        UUID host = state.exists()
                ? state.open().host()
                : input instanceof TurnCommand command ? command.meta().host() : AccessDirectory.DEFAULT_HOST;
        return catalogue.in(host, state.key().projectId());
    }

    /** Answers a command that the machine failed on with a refusal. */
    private void refuseUndecided(RecordKey key, TurnInput input, @Nullable String trace, RuntimeException reason) {
        if (input instanceof TurnCommand command) {
            CommandMeta meta = command.meta();
            var refused = reason instanceof SerializationException
                    ? new Outcome.Refused(key, meta.commandId(), LiveSessions.UNREADABLE, LiveSessions.UNREADABLE_TEXT)
                    : new Outcome.Refused(
                            key, meta.commandId(), "internal_error", "something went wrong; see the logs");
            var effects = new ArrayList<TurnEffect>();
            effects.add(new TurnEffect.StoreOutcome(meta.commandId(), refused));
            if (meta.outcomePartition() != null) {
                effects.add(new TurnEffect.SendOutcome(meta.outcomePartition(), refused));
            }
            SessionState initial = SessionState.initial(key);
            output.write(initial, new TurnDecision(initial, List.of(), effects), now(), trace);
        }
    }

    private void arm(SessionState state) {
        TurnMachine.nextDue(state).ifPresent(due -> timers.arm(state.key(), due));
    }

    private void fireTimers(long millis) {
        for (RecordKey key : orphanedCalls.takeLost()) {
            TurnMachine.retriesOfLostCalls(store.session(key)).forEach(lost -> handleTimer(key, lost));
        }
        for (RecordKey key : timers.takeDue(now(), MAX_TIMERS_PER_RUN)) {
            handleTimer(key, new TurnInput.Tick());
            arm(store.session(key));
        }
    }

    /** Passes an input to the machine that is not from a record. */
    private void handleTimer(RecordKey key, TurnInput input) {
        try {
            handle(key, input, null);
        } catch (UndecidableException e) {
            LOG.atError()
                    .addKeyValue("session", key)
                    .addKeyValue("input", input.getClass().getSimpleName())
                    .setCause(e.reason)
                    .log("decision failed on timer or takeover input");
        }
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }

    /** The failure of a model request that exceeds the maximum size of a record. */
    static CallResult tooLong(UUID callId, int attempt, String detail) {
        return new CallResult.ModelFailed(callId, attempt, ErrorCategory.CONTEXT_TOO_LONG, detail, null, List.of());
    }

    /** The machine failed on an input without changing anything, so the record can become a dead letter. */
    private static final class UndecidableException extends RuntimeException {
        private final RuntimeException reason;

        UndecidableException(RuntimeException reason) {
            super(reason);
            this.reason = reason;
        }
    }
}
