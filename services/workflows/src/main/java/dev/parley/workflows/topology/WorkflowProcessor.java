package dev.parley.workflows.topology;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.Sha256;
import dev.parley.domain.protocol.CallResult;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.workflow.ParentCall;
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
import dev.parley.domain.workflow.WorkflowSchedule;
import dev.parley.platform.dispatch.LocalDispatch;
import dev.parley.platform.dispatch.TaskDispatch;
import dev.parley.platform.kafka.RecordCodec;
import dev.parley.platform.kafka.Topics;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.Timers;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessMachine.InvalidInputException;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.process.InstanceDecision;
import dev.parley.workflows.process.InstanceMachine;
import dev.parley.workflows.process.ProcessInstance;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
 * Processor of the workflow topology: reads a command, a result or a timer, applies it to its process, and lets
 * {@link DecisionWriter} write the decision.
 */
final class WorkflowProcessor implements Processor<byte[], byte[], byte[], byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkflowProcessor.class);
    private static final Duration TIMER_PRECISION = Duration.ofMillis(20);
    private static final int TIMERS_AT_ONCE = 500;
    /** Delay before a failed decision is retried. */
    private static final Duration RETRY_DELAY = Duration.ofMinutes(1);

    private static final Duration OUTCOME_CLEANUP_INTERVAL = Duration.ofSeconds(10);
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
    private DecisionWriter writer;

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
        dispatch = localDispatch.forTask(context, answer -> applyResult(answer.key(), answer.result(), answer.trace()));
        store = new WorkflowStore(context, definitions);
        sinks = new Sinks(context, "workflows");
        writer = new DecisionWriter(store, timers, dispatch, sinks, this::now);
        routing = new EventRouting(store, writer::send);
        scheduling = new Scheduling(store, definitions, timers, archived, writer::send);
        store.eachDue(timers::arm);
        context.schedule(TIMER_PRECISION, PunctuationType.WALL_CLOCK_TIME, _ -> fireTimers());
        context.schedule(
                OUTCOME_CLEANUP_INTERVAL,
                PunctuationType.WALL_CLOCK_TIME,
                _ -> store.outcomes().forgetOld(now(), OUTCOMES_AT_ONCE));
    }

    @Override
    public void close() {
        dispatch.close();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        step(record);
        dispatch.onProcessed();
    }

    private void step(Record<byte[], byte[]> record) {
        String trace = RecordCodec.trace(record.headers());
        try {
            RecordKey key = RecordKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            if (topic().equals(Topics.RESULTS.name())) {
                if (ProcessRef.isKey(key)) { // otherwise a result for a session or a memory bank
                    applyResult(key, RecordCodec.read(Topics.RESULTS, record.headers(), record.value()), trace);
                }
                return;
            }
            decide(command(key, record), trace, record);
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            LOG.atWarn()
                    .addKeyValue("topic", topic())
                    .setCause(e)
                    .log("unreadable record sent to the dead-letter topic");
            sinks.deadLetter(record, WorkflowTopology.PROCESSOR, e);
        }
    }

    private String topic() {
        return context.recordMetadata().map(meta -> meta.topic()).orElse("");
    }

    private static WorkflowCommand command(RecordKey key, Record<byte[], byte[]> record) {
        WorkflowCommand command = RecordCodec.read(Topics.WORKFLOW_COMMANDS, record.headers(), record.value());
        if (!command.key().equals(key)) {
            throw new IllegalArgumentException("a command to " + command.key() + " under the key " + key);
        }
        return command;
    }

    private void decide(WorkflowCommand command, @Nullable String trace, Record<byte[], byte[]> record) {
        try {
            apply(command, trace);
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("process", command.key()).setCause(e).log("decision failed on a command");
            sinks.deadLetter(record, WorkflowTopology.PROCESSOR, e);
            refuse(command, "internal_error", "something went wrong; see the logs", trace);
        }
    }

    private void apply(WorkflowCommand command, @Nullable String trace) {
        switch (command) {
            case StartProcess start -> start(start, trace);
            case AwaitProcess await ->
                apply(await, trace, instance -> InstanceMachine.await(instance, await, engineContext()));
            case ControlProcess control ->
                applyOnce(control, trace, instance -> InstanceMachine.control(instance, control, engineContext()));
            case HandleTask task ->
                applyOnce(task, trace, instance -> InstanceMachine.handle(instance, task, engineContext()));
            case EraseProcess erase -> erase(erase, trace);
            case TellEvent event -> tell(event, trace);
            case SetSchedule set -> setSchedule(set, trace);
            case RemoveSchedule remove -> removeSchedule(remove, trace);
            case ScheduledEnded ended -> scheduling.onProcessEnded(ended, engineContext());
            case Subscribe subscribe -> routing.subscribe(subscribe);
            case Unsubscribe unsubscribe -> routing.unsubscribe(unsubscribe);
            case PublishEvent publish -> reply(publish, "{\"new\":" + routing.publish(publish, now()) + "}", trace);
        }
    }

    private void reply(WorkflowCommand command, String json, @Nullable String trace) {
        writer.reply(
                command, new Outcome.ProcessShown(command.key(), command.meta().commandId(), json), trace);
    }

    private void refuse(WorkflowCommand command, String code, String message, @Nullable String trace) {
        writer.reply(command, new Outcome.Refused(command.key(), command.meta().commandId(), code, message), trace);
    }

    private void start(StartProcess start, @Nullable String trace) {
        RecordKey key = start.key();
        Optional<ProcessInstance> existing = store.process(key);
        if (existing.isPresent()) {
            writer.write(key, InstanceMachine.startAgain(existing.get(), start), trace);
            return;
        }
        String digest = Sha256.hex(start.definition());
        try {
            Workflow workflow = definitions.of(digest, start::definition);
            InstanceDecision decision = InstanceMachine.start(start, workflow, digest, engineContext());
            store.putDefinition(key.project(), digest, start.definition());
            writer.write(key, decision, trace);
        } catch (InvalidInputException e) {
            refuseStart(start, "invalid_input", "invalid input: " + e.getMessage(), trace);
        } catch (InvalidDefinitionException e) {
            refuseStart(start, "invalid_definition", "the definition cannot run: " + e.getMessage(), trace);
        }
    }

    /** Refuses a start, and reports the error to the parent process, if any. */
    private void refuseStart(StartProcess start, String code, String message, @Nullable String trace) {
        refuse(start, code, message, trace);
        ParentCall parent = start.parent();
        if (parent != null) {
            String error = Standard.VALIDATION.error(message, "").toJson().toString();
            writer.report(parent, new CallResult.WorkAnswered(parent.callId(), parent.attempt(), null, error), trace);
        }
    }

    private void erase(EraseProcess erase, @Nullable String trace) {
        RecordKey key = erase.key();
        Optional<ProcessInstance> existing = store.process(key);
        long events =
                Math.max(erase.events(), existing.map(ProcessInstance::lastSeq).orElse(0L));
        existing.ifPresent(instance -> writer.write(key, InstanceMachine.erase(instance, engineContext()), trace));
        for (long event = 1; event <= events; event++) {
            sinks.tombstone(Topics.WORKFLOW_EVENTS, key + "#" + event, now());
        }
        store.outcomes().erase(key);
        reply(erase, "{}", trace);
    }

    private void tell(TellEvent event, @Nullable String trace) {
        if (WorkflowSchedule.isKey(event.key())) {
            scheduling.tell(event, engineContext());
        } else {
            applyInput(
                    event.key(),
                    trace,
                    instance -> InstanceMachine.event(instance, JsonText.read(event.event()), engineContext()));
        }
    }

    private void setSchedule(SetSchedule set, @Nullable String trace) {
        scheduling.set(set, engineContext());
        reply(set, "{}", trace);
    }

    private void removeSchedule(RemoveSchedule remove, @Nullable String trace) {
        scheduling.remove(remove, engineContext());
        reply(remove, "{}", trace);
    }

    /** Applies a command; a redelivery is applied again. */
    private void apply(
            WorkflowCommand command, @Nullable String trace, Function<ProcessInstance, InstanceDecision> decide) {
        store.process(command.key())
                .ifPresentOrElse(
                        instance -> writer.write(command.key(), decide.apply(instance), trace),
                        () -> refuse(command, "unknown_process", "there is no such process", trace));
    }

    /** Applies a command once; a duplicate gets the remembered outcome. */
    private void applyOnce(
            WorkflowCommand command, @Nullable String trace, Function<ProcessInstance, InstanceDecision> decide) {
        store.outcomes()
                .find(command.key(), command.meta().commandId(), now())
                .ifPresentOrElse(outcome -> writer.reply(command, outcome, trace), () -> apply(command, trace, decide));
    }

    private void applyResult(RecordKey key, CallResult result, @Nullable String trace) {
        applyInput(key, trace, instance -> InstanceMachine.result(instance, result, engineContext()));
    }

    /** Applies an input without an outcome; after a failure the timers of the process are retried. */
    private void applyInput(RecordKey key, @Nullable String trace, Function<ProcessInstance, InstanceDecision> decide) {
        retrying(
                "process",
                key,
                () -> store.process(key).ifPresent(instance -> writer.write(key, decide.apply(instance), trace)));
    }

    private void fireTimers() {
        List<RecordKey> due = timers.takeDue(now(), TIMERS_AT_ONCE);
        for (RecordKey key : due) {
            if (WorkflowSchedule.isKey(key)) {
                retrying("schedule", key, () -> scheduling.tick(key, engineContext()));
            } else {
                applyInput(key, null, instance -> InstanceMachine.tick(instance, engineContext()));
            }
        }
        if (!due.isEmpty()) {
            dispatch.onProcessed();
        }
    }

    private void retrying(String kind, RecordKey key, Runnable decision) {
        try {
            decision.run();
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue(kind, key).setCause(e).log("decision failed");
            timers.arm(key, now().plus(RETRY_DELAY)); // its timers are still due
        }
    }

    private EngineContext engineContext() {
        return new EngineContext(now(), version);
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }
}
