package dev.parley.workflows.topology;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.audit.AuditEntry;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand;
import dev.parley.domain.workflow.ParentCall;
import dev.parley.domain.workflow.WorkCancelled;
import dev.parley.domain.workflow.WorkRequest;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.AwaitProcess;
import dev.parley.domain.workflow.WorkflowCommand.ControlProcess;
import dev.parley.domain.workflow.WorkflowCommand.EraseProcess;
import dev.parley.domain.workflow.WorkflowCommand.HandleTask;
import dev.parley.domain.workflow.WorkflowCommand.PublishEvent;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.ScheduledEnded;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.domain.workflow.WorkflowCommand.Subscribe;
import dev.parley.domain.workflow.WorkflowCommand.TellEvent;
import dev.parley.domain.workflow.WorkflowCommand.Unsubscribe;
import dev.parley.domain.workflow.WorkflowEvent;
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topic;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.Timers;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessMachine.InvalidInputException;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.process.Decided;
import dev.parley.workflows.process.Instance;
import dev.parley.workflows.process.InstanceMachine;
import dev.parley.workflows.process.Reaction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processor of the workflow topology: reads a record, applies it to its process, then writes state, events and reactions. It is long because
 * it has a case for each command and each reaction.
 */
final class WorkflowProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkflowProcessor.class);
    private static final Duration TIMER_PRECISION = Duration.ofMillis(20);
    private static final int TIMERS_AT_ONCE = 500;
    /** Delay before a failed decision is retried. */
    private static final Duration RETRY_DELAY = Duration.ofMinutes(1);

    private static final Duration OUTCOMES_CHECKED = Duration.ofSeconds(10);
    private static final int OUTCOMES_AT_ONCE = 2_000;

    private final CompiledDefinitions definitions;
    private final LocalDispatch localDispatch;
    private final String version;
    private final Predicate<String> archived;
    private final Timers timers = new Timers();
    private ProcessorContext<byte[], byte[]> context;
    private TaskDispatch dispatch;
    private WorkflowStore store;
    private EventRouting routing;
    private Scheduling scheduling;
    private Sinks sinks;

    @SuppressWarnings("NullAway.Init")
    WorkflowProcessor(
            CompiledDefinitions definitions, LocalDispatch localDispatch, String version, Predicate<String> archived) {
        this.archived = archived;
        this.definitions = definitions;
        this.localDispatch = localDispatch;
        this.version = version;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        dispatch = localDispatch.forTask(context, this::answered);
        store = new WorkflowStore(context, definitions);
        sinks = new Sinks(context, "workflows");
        routing = new EventRouting(store, this::send);
        scheduling = new Scheduling(store, definitions, timers, archived, this::send);
        store.eachDue(timers::arm);
        context.schedule(TIMER_PRECISION, PunctuationType.WALL_CLOCK_TIME, _ -> fireTimers());
        context.schedule(
                OUTCOMES_CHECKED,
                PunctuationType.WALL_CLOCK_TIME,
                _ -> store.outcomes().forgetOld(now(), OUTCOMES_AT_ONCE));
    }

    @Override
    public void close() {
        dispatch.close();
    }

    // ---- what comes

    @Override
    public void process(Record<byte[], byte[]> record) {
        step(record);
        dispatch.processed();
    }

    private void step(Record<byte[], byte[]> record) {
        String trace = RecordCodec.trace(record.headers());
        try {
            RecordKey key = RecordKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            if (topic().equals(Topics.RESULTS.name())) {
                if (ProcessRef.isKey(key)) { // otherwise a result for a session or a memory bank
                    answered(key, RecordCodec.read(Topics.RESULTS, record.headers(), record.value()), trace);
                }
                return;
            }
            WorkflowCommand command = RecordCodec.read(Topics.WORKFLOW_COMMANDS, record.headers(), record.value());
            if (!command.key().equals(key)) {
                throw new IllegalArgumentException("a command to " + command.key() + " under the key " + key);
            }
            decide(command, trace, record);
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            LOG.atWarn().addKeyValue("topic", topic()).setCause(e).log("unreadable record goes to the dead letters");
            sinks.deadLetter(record, WorkflowTopology.PROCESSOR, e);
        }
    }

    private String topic() {
        return context.recordMetadata().map(meta -> meta.topic()).orElse("");
    }

    private void decide(WorkflowCommand command, @Nullable String trace, Record<byte[], byte[]> record) {
        RecordKey key = command.key();
        try {
            switch (command) {
                case StartProcess start -> start(start, trace);
                case AwaitProcess await ->
                    told(
                            key,
                            command.meta(),
                            trace,
                            instance -> InstanceMachine.await(instance, await, surroundings()));
                case ControlProcess control ->
                    once(
                            key,
                            command.meta(),
                            trace,
                            instance -> InstanceMachine.control(instance, control, surroundings()));
                case HandleTask task ->
                    once(
                            key,
                            command.meta(),
                            trace,
                            instance -> InstanceMachine.handle(instance, task, surroundings()));
                case EraseProcess erase -> erase(erase, trace);
                case TellEvent event when WorkflowSchedule.isKey(key) -> scheduling.tell(event, surroundings());
                case TellEvent event ->
                    goOn(
                            key,
                            trace,
                            instance -> InstanceMachine.event(instance, JsonText.read(event.event()), surroundings()));
                case SetSchedule set -> {
                    scheduling.set(set, surroundings());
                    reply(set.meta(), done(set), trace);
                }
                case RemoveSchedule remove -> {
                    scheduling.remove(remove, surroundings());
                    reply(remove.meta(), done(remove), trace);
                }
                case ScheduledEnded ended -> scheduling.ended(ended, surroundings());
                case Subscribe subscribe -> routing.subscribe(subscribe);
                case Unsubscribe unsubscribe -> routing.unsubscribe(unsubscribe);
                case PublishEvent publish -> {
                    boolean isNew = routing.publish(publish, now());
                    Outcome outcome = new Outcome.ProcessShown(
                            key, publish.meta().commandId(), isNew ? "{\"new\":true}" : "{\"new\":false}");
                    reply(command.meta(), outcome, trace);
                }
            }
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("process", key).setCause(e).log("decision failed on a command");
            sinks.deadLetter(record, WorkflowTopology.PROCESSOR, e);
            reply(
                    command.meta(),
                    new Outcome.Refused(
                            key, command.meta().commandId(), "internal_error", "something went wrong; see the logs"),
                    trace);
        }
    }

    private void erase(EraseProcess erase, @Nullable String trace) {
        RecordKey key = erase.key();
        Optional<Instance> instance = store.process(key);
        long events = Math.max(erase.events(), instance.map(Instance::lastSeq).orElse(0L));
        instance.ifPresent(there -> take(key, InstanceMachine.erased(there, surroundings()), trace));
        for (long event = 1; event <= events; event++) {
            sinks.tombstone(Topics.WORKFLOW_EVENTS, key + "#" + event, now());
        }
        store.outcomes().erase(key);
        reply(erase.meta(), done(erase), trace);
    }

    private static Outcome done(WorkflowCommand command) {
        return new Outcome.ProcessShown(command.key(), command.meta().commandId(), "{}");
    }

    private void start(StartProcess start, @Nullable String trace) {
        RecordKey key = start.key();
        Optional<Instance> there = store.process(key);
        if (there.isPresent()) {
            take(key, InstanceMachine.startAgain(there.get(), start), trace);
            return;
        }
        String digest = Sha256.hex(start.definition());
        try {
            Workflow workflow = definitions.of(digest, start::definition);
            Decided decided = InstanceMachine.start(start, workflow, digest, surroundings());
            store.keep(key.project(), digest, start.definition());
            take(key, decided, trace);
        } catch (InvalidInputException e) {
            refuse(start, "invalid_input", "invalid input: " + e.getMessage(), trace);
        } catch (InvalidDefinitionException e) {
            refuse(start, "invalid_definition", "the definition cannot run: " + e.getMessage(), trace);
        }
    }

    /** Refuses a command; the parent of a process that cannot start gets an error. */
    private void refuse(WorkflowCommand command, String code, String message, @Nullable String trace) {
        var refused = new Outcome.Refused(command.key(), command.meta().commandId(), code, message);
        reply(command.meta(), refused, trace);
        ParentCall parent = command instanceof StartProcess start ? start.parent() : null;
        if (parent != null) {
            String error = Standard.VALIDATION.error(message, "").toJson().toString();
            report(
                    parent.process().key(),
                    new CallResult.WorkAnswered(parent.callId(), parent.attempt(), null, error),
                    trace);
        }
    }

    /** Applies a command and sends its outcome, on each delivery. */
    private void told(RecordKey key, CommandMeta meta, @Nullable String trace, Function<Instance, Decided> decide) {
        Optional<Instance> instance = store.process(key);
        if (instance.isPresent()) {
            take(key, decide.apply(instance.get()), trace);
        } else {
            reply(
                    meta,
                    new Outcome.Refused(key, meta.commandId(), "unknown_process", "there is no such process"),
                    trace);
        }
    }

    /** Applies a command once; a duplicate gets the remembered outcome. */
    private void once(RecordKey key, CommandMeta meta, @Nullable String trace, Function<Instance, Decided> decide) {
        Optional<Outcome> before = store.outcomes().find(key, meta.commandId(), now());
        if (before.isPresent()) {
            reply(meta, before.get(), trace);
        } else {
            told(key, meta, trace, decide);
        }
    }

    /** A result from the in-process call channel. */
    private void answered(TaskDispatch.Answer answer) {
        answered(answer.key(), answer.result(), answer.trace());
    }

    private void answered(RecordKey key, CallResult result, @Nullable String trace) {
        goOn(key, trace, instance -> InstanceMachine.result(instance, result, surroundings()));
    }

    /** Applies an input without an outcome. */
    private void goOn(RecordKey key, @Nullable String trace, Function<Instance, Decided> decide) {
        try {
            store.process(key).ifPresent(instance -> take(key, decide.apply(instance), trace));
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("process", key).setCause(e).log("decision failed");
            timers.arm(key, now().plus(RETRY_DELAY)); // its timers are still due
        }
    }

    private void fireTimers() {
        List<RecordKey> due = timers.takeDue(now(), TIMERS_AT_ONCE);
        for (RecordKey key : due) {
            if (WorkflowSchedule.isKey(key)) {
                tick(key);
            } else {
                goOn(key, null, instance -> InstanceMachine.tick(instance, surroundings()));
            }
        }
        if (!due.isEmpty()) {
            dispatch.processed();
        }
    }

    private void tick(RecordKey schedule) {
        try {
            scheduling.tick(schedule, surroundings());
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("schedule", schedule).setCause(e).log("decision failed");
            timers.arm(schedule, now().plus(RETRY_DELAY));
        }
    }

    private EngineContext surroundings() {
        return new EngineContext(now(), version);
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }

    // ---- what was decided

    private void take(RecordKey key, Decided decided, @Nullable String trace) {
        Instance instance = decided.instance();
        if (instance != null) {
            store.keep(instance);
            if (instance.due() != null) {
                timers.arm(key, instance.due());
            }
        }
        for (WorkflowEvent event : decided.events()) {
            String id = key + "#" + event.meta().seq();
            send(Topics.WORKFLOW_EVENTS, id, event, Ids.of("event", id), trace);
        }
        decided.reactions().forEach(reaction -> carryOut(key, reaction, trace));
        dispatch.requestCommit(TaskDispatch.AGE);
    }

    private void carryOut(RecordKey key, Reaction reaction, @Nullable String trace) {
        switch (reaction) {
            case Reaction.Ask(WorkRequest request) -> {
                UUID id = Ids.of("ask", request.callId(), request.attempt());
                dispatch.request(Topics.WORKFLOW_REQUESTS, key, request, trace, () -> {
                    dispatch.requestCommit(Duration.ZERO); // a worker elsewhere waits for it
                    send(Topics.WORKFLOW_REQUESTS, key.toString(), request, id, trace);
                });
            }
            case Reaction.Stop(UUID callId) -> {
                if (!dispatch.cancel(Topics.WORKFLOW_REQUESTS, callId)) {
                    UUID id = Ids.of("stop", callId);
                    send(Topics.WORKFLOW_REQUESTS, key.toString(), new WorkCancelled(callId), id, trace);
                }
            }
            case Reaction.Give(WorkflowCommand command) -> send(command);
            case Reaction.CancelTurn(RecordKey session, TurnCommand.CancelTurn command) ->
                send(
                        Topics.TURN_COMMANDS,
                        session.toString(),
                        command,
                        command.meta().commandId(),
                        trace);
            case Reaction.Tell(int partition, Outcome outcome) -> reply(partition, outcome, trace);
            case Reaction.Remember(UUID commandId, Outcome outcome) ->
                store.outcomes().remember(key, commandId, outcome, now());
            case Reaction.Report report -> report(report.to().process().key(), report.result(), trace);
            case Reaction.Audit(AuditEntry entry) ->
                send(Topics.AUDIT, entry.host().toString(), entry, entry.id(), trace);
            case Reaction.Forget _ -> store.forget(key);
        }
    }

    private void send(WorkflowCommand command) {
        dispatch.requestCommit(Duration.ZERO);
        send(
                Topics.WORKFLOW_COMMANDS,
                command.key().toString(),
                command,
                command.meta().commandId(),
                command.meta().trace());
    }

    private void report(RecordKey to, CallResult result, @Nullable String trace) {
        dispatch.requestCommit(Duration.ZERO);
        send(Topics.RESULTS, to.toString(), result, Ids.of("report", result.callId()), trace);
    }

    private void reply(CommandMeta meta, Outcome outcome, @Nullable String trace) {
        if (meta.outcomePartition() != null) {
            reply(meta.outcomePartition(), outcome, trace);
        }
    }

    private void reply(int partition, Outcome outcome, @Nullable String trace) {
        dispatch.requestCommit(Duration.ZERO);
        if (!dispatch.notifyWaiter(partition, outcome)) {
            send(Topics.OUTCOMES, Integer.toString(partition), outcome, Ids.of("outcome", outcome, partition), trace);
        }
    }

    private <V> void send(Topic<? super V> topic, String key, V value, UUID id, @Nullable String trace) {
        sinks.send(topic, key, value, id, now(), trace);
    }
}
