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
import dev.parley.platform.streams.DecisionShell;
import dev.parley.platform.streams.DecisionShell.Input;
import dev.parley.platform.streams.DecisionShell.Kind;
import dev.parley.platform.streams.DecisionShell.Unsent;
import dev.parley.platform.streams.Sinks;
import dev.parley.platform.streams.Writes;
import dev.parley.workflows.definition.InvalidDefinitionException;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessMachine.InvalidInputException;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.process.InstanceDecision;
import dev.parley.workflows.process.InstanceMachine;
import dev.parley.workflows.process.ProcessInstance;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Processor of the workflow topology: reads a command, a result or a timer, applies it to its process, schedule or
 * router in the {@link DecisionShell}, and lets {@link DecisionWriter} prepare the decision.
 */
final class WorkflowProcessor
        implements Processor<byte[], byte[], byte[], byte[]>, DecisionShell.Machine<WorkflowInput> {
    private static final Duration TIMER_PRECISION = Duration.ofMillis(20);
    private static final int TIMERS_AT_ONCE = 500;

    private static final Duration OUTCOME_CLEANUP_INTERVAL = Duration.ofSeconds(10);
    private static final int OUTCOMES_AT_ONCE = 2_000;

    private final CompiledDefinitions definitions;
    private final LocalDispatch localDispatch;
    private final String version;
    private final Predicate<String> archived;
    private final @Nullable MeterRegistry meters;
    private final DecisionShell.Machine<WorkflowInput> machine;
    private ProcessorContext<byte[], byte[]> context;
    private TaskDispatch dispatch;
    private WorkflowStore store;
    private EventRouting routing;
    private Scheduling scheduling;
    private Sinks sinks;
    private DecisionShell<WorkflowInput> shell;

    /** @param wrapper wraps the machine, for tests */
    @SuppressWarnings("NullAway.Init")
    WorkflowProcessor(
            CompiledDefinitions definitions,
            LocalDispatch localDispatch,
            String version,
            Predicate<String> archived,
            @Nullable MeterRegistry meters,
            UnaryOperator<DecisionShell.Machine<WorkflowInput>> wrapper) {
        this.archived = archived;
        this.definitions = definitions;
        this.localDispatch = localDispatch;
        this.version = version;
        this.meters = meters;
        this.machine = wrapper.apply(this);
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
        this.context = context;
        store = new WorkflowStore(context, definitions);
        sinks = new Sinks(context, "workflows");
        shell = new DecisionShell<>(WorkflowTopology.PROCESSOR, machine, context, sinks, store::throwIfFailed, meters);
        dispatch = localDispatch.forTask(context, answer -> take(answer.key(), answer.result(), answer.trace(), null));
        routing = new EventRouting(store);
        scheduling = new Scheduling(store, definitions, archived);
        store.eachDue(
                shell::arm,
                (row, _) -> shell.unreadableRow(row, "process or schedule cannot be read: its commands are refused"));
        context.schedule(TIMER_PRECISION, PunctuationType.WALL_CLOCK_TIME, _ -> fireTimers());
        context.schedule(
                OUTCOME_CLEANUP_INTERVAL,
                PunctuationType.WALL_CLOCK_TIME,
                _ -> store.outcomes().forgetOld(now(), OUTCOMES_AT_ONCE));
    }

    @Override
    public void close() {
        shell.close();
        dispatch.close();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        step(record);
        dispatch.onProcessed();
    }

    private void step(Record<byte[], byte[]> record) {
        String trace = RecordCodec.trace(record.headers());
        RecordKey key;
        CallResult result = null;
        WorkflowCommand command = null;
        try {
            key = RecordKey.parse(new String(record.key(), StandardCharsets.UTF_8));
            if (!topic().equals(Topics.RESULTS.name())) {
                command = command(key, record);
            } else if (ProcessRef.isKey(key)) { // otherwise a result for a session or a memory bank
                result = RecordCodec.read(Topics.RESULTS, record.headers(), record.value());
            }
        } catch (SerializationException | IllegalArgumentException | NullPointerException e) {
            shell.unreadable(record, e);
            return;
        }
        if (result != null) {
            take(key, result, trace, record);
        } else if (command != null) {
            shell.take(new Input<>(key, new WorkflowInput.Command(command), trace, record));
        }
    }

    private void take(
            RecordKey key, CallResult result, @Nullable String trace, @Nullable Record<byte[], byte[]> record) {
        shell.take(new Input<>(key, new WorkflowInput.Result(result), trace, record));
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

    @Override
    public Kind kind(WorkflowInput input) {
        return switch (input) {
            case WorkflowInput.Command _ -> Kind.COMMAND;
            case WorkflowInput.Result _ -> Kind.RESULT;
            case WorkflowInput.Tick _ -> Kind.TIMER;
        };
    }

    @Override
    public void decide(Input<WorkflowInput> input, Writes<WorkflowInput> writes) {
        DecisionWriter writer = writer(input.trace(), writes);
        RecordKey key = input.key();
        switch (input.value()) {
            case WorkflowInput.Command(WorkflowCommand command) -> apply(command, writer);
            case WorkflowInput.Result(CallResult result) ->
                applyInput(key, writer, instance -> InstanceMachine.result(instance, result, engineContext()));
            case WorkflowInput.Tick _ when WorkflowSchedule.isKey(key) -> scheduling.tick(key, engineContext(), writer);
            case WorkflowInput.Tick _ ->
                applyInput(key, writer, instance -> InstanceMachine.tick(instance, engineContext()));
        }
    }

    private DecisionWriter writer(@Nullable String trace, Writes<WorkflowInput> writes) {
        return new DecisionWriter(store, shell::arm, dispatch, sinks, this::now, trace, writes);
    }

    private void apply(WorkflowCommand command, DecisionWriter writer) {
        switch (command) {
            case StartProcess start -> start(start, writer);
            case AwaitProcess await ->
                apply(await, writer, instance -> InstanceMachine.await(instance, await, engineContext()));
            case ControlProcess control ->
                applyOnce(control, writer, instance -> InstanceMachine.control(instance, control, engineContext()));
            case HandleTask task ->
                applyOnce(task, writer, instance -> InstanceMachine.handle(instance, task, engineContext()));
            case EraseProcess erase -> erase(erase, writer);
            case TellEvent event
            when WorkflowSchedule.isKey(event.key()) -> scheduling.tell(event, engineContext(), writer);
            case TellEvent event ->
                applyInput(
                        event.key(),
                        writer,
                        instance -> InstanceMachine.event(instance, JsonText.read(event.event()), engineContext()));
            case SetSchedule set -> {
                scheduling.set(set, engineContext(), writer);
                reply(set, "{}", writer);
            }
            case RemoveSchedule remove -> {
                scheduling.remove(remove, engineContext(), writer);
                reply(remove, "{}", writer);
            }
            case ScheduledEnded ended -> scheduling.onProcessEnded(ended, engineContext(), writer);
            case Subscribe subscribe -> routing.subscribe(subscribe, writer);
            case Unsubscribe unsubscribe -> routing.unsubscribe(unsubscribe, writer);
            case PublishEvent publish ->
                reply(publish, "{\"new\":" + routing.publish(publish, now(), writer) + "}", writer);
        }
    }

    private static void reply(WorkflowCommand command, String json, DecisionWriter writer) {
        writer.reply(
                command, new Outcome.ProcessShown(command.key(), command.meta().commandId(), json));
    }

    private static void refuse(WorkflowCommand command, String code, String message, DecisionWriter writer) {
        writer.reply(command, new Outcome.Refused(command.key(), command.meta().commandId(), code, message));
    }

    private void start(StartProcess start, DecisionWriter writer) {
        RecordKey key = start.key();
        Optional<ProcessInstance> existing = store.process(key);
        if (existing.isPresent()) {
            writer.write(key, InstanceMachine.startAgain(existing.get(), start));
            return;
        }
        String digest = Sha256.hex(start.definition());
        try {
            Workflow workflow = definitions.of(digest, start::definition);
            InstanceDecision decision = InstanceMachine.start(start, workflow, digest, engineContext());
            writer.writes().add(store.prepareDefinition(key.project(), digest, start.definition()));
            writer.write(key, decision);
        } catch (InvalidInputException e) {
            refuseStart(start, "invalid_input", "invalid input: " + e.getMessage(), writer);
        } catch (InvalidDefinitionException e) {
            refuseStart(start, "invalid_definition", "the definition cannot run: " + e.getMessage(), writer);
        }
    }

    /** Refuses a start, and reports the error to the parent process, if any. */
    private static void refuseStart(StartProcess start, String code, String message, DecisionWriter writer) {
        refuse(start, code, message, writer);
        ParentCall parent = start.parent();
        if (parent != null) {
            String error = Standard.VALIDATION.error(message, "").toJson().toString();
            writer.report(parent, new CallResult.WorkAnswered(parent.callId(), parent.attempt(), null, error));
        }
    }

    private void erase(EraseProcess erase, DecisionWriter writer) {
        RecordKey key = erase.key();
        Optional<ProcessInstance> existing = store.process(key);
        long events =
                Math.max(erase.events(), existing.map(ProcessInstance::lastSeq).orElse(0L));
        existing.ifPresent(instance -> writer.write(key, InstanceMachine.erase(instance, engineContext())));
        writer.writes().add(() -> {
            for (long event = 1; event <= events; event++) {
                sinks.tombstone(Topics.WORKFLOW_EVENTS, key + "#" + event, now());
            }
            store.outcomes().erase(key);
        });
        reply(erase, "{}", writer);
    }

    /** Applies a command; a redelivery is applied again. */
    private void apply(
            WorkflowCommand command, DecisionWriter writer, Function<ProcessInstance, InstanceDecision> decide) {
        store.process(command.key())
                .ifPresentOrElse(
                        instance -> writer.write(command.key(), decide.apply(instance)),
                        () -> refuse(command, "unknown_process", "there is no such process", writer));
    }

    /** Applies a command once; a duplicate gets the remembered outcome. */
    private void applyOnce(
            WorkflowCommand command, DecisionWriter writer, Function<ProcessInstance, InstanceDecision> decide) {
        store.outcomes()
                .find(command.key(), command.meta().commandId(), now())
                .ifPresentOrElse(outcome -> writer.reply(command, outcome), () -> apply(command, writer, decide));
    }

    /** Applies an input without an outcome. */
    private void applyInput(RecordKey key, DecisionWriter writer, Function<ProcessInstance, InstanceDecision> decide) {
        store.process(key).ifPresent(instance -> writer.write(key, decide.apply(instance)));
    }

    @Override
    public void refuse(Input<WorkflowInput> input, Throwable cause, Writes<WorkflowInput> writes) {
        DecisionWriter writer = writer(input.trace(), writes);
        if (input.value() instanceof WorkflowInput.Command(StartProcess start)) {
            refuseStart(start, DecisionShell.FAILED, DecisionShell.FAILED_TEXT, writer);
        } else if (input.value() instanceof WorkflowInput.Command(WorkflowCommand command)) {
            refuse(command, DecisionShell.FAILED, DecisionShell.FAILED_TEXT, writer);
        }
    }

    @Override
    public Optional<WorkflowInput> failed(Input<WorkflowInput> input, Throwable cause) {
        return input.value() instanceof WorkflowInput.Result(CallResult result)
                ? InstanceMachine.failed(result, DecisionShell.detail(cause)).map(WorkflowInput.Result::new)
                : Optional.empty();
    }

    /** A schedule goes on: its timer is tried again after the longest pause. */
    @Override
    public void fault(Input<WorkflowInput> input, Throwable cause, Writes<WorkflowInput> writes) {
        applyInput(
                input.key(),
                writer(input.trace(), writes),
                instance -> InstanceMachine.fault(instance, DecisionShell.detail(cause), engineContext()));
    }

    @Override
    public Unsent unsent(WorkflowInput input) {
        return switch (input) {
            case WorkflowInput.Command(WorkflowCommand command) -> Unsent.of(Topics.WORKFLOW_COMMANDS, command);
            case WorkflowInput.Result(CallResult result) -> Unsent.of(Topics.RESULTS, result);
            case WorkflowInput.Tick _ -> Unsent.none();
        };
    }

    private void fireTimers() {
        List<RecordKey> due = shell.takeDue(TIMERS_AT_ONCE);
        due.forEach(key -> shell.take(new Input<>(key, new WorkflowInput.Tick(), null, null)));
        if (!due.isEmpty()) {
            dispatch.onProcessed();
        }
    }

    private EngineContext engineContext() {
        return new EngineContext(now(), version);
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }
}
