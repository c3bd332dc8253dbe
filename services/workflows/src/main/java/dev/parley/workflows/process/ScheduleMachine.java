package dev.parley.workflows.process;

import dev.parley.domain.Ids;
import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.workflow.EventRouter;
import dev.parley.domain.workflow.StoredSchedule;
import dev.parley.domain.workflow.WorkflowCommand;
import dev.parley.domain.workflow.WorkflowCommand.RemoveSchedule;
import dev.parley.domain.workflow.WorkflowCommand.SetSchedule;
import dev.parley.domain.workflow.WorkflowCommand.StartProcess;
import dev.parley.domain.workflow.WorkflowCommand.Subscribe;
import dev.parley.domain.workflow.WorkflowCommand.Unsubscribe;
import dev.parley.workflows.definition.DefinitionReader;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessDecision;
import dev.parley.workflows.engine.ProcessInput;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.StateJson;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State machine of a schedule: starts processes at times, after one another, or by events. The process id derives from
 * the scheduled time, so that a repeated start is idempotent. Starting events are matched by a hidden process that
 * listens.
 */
public final class ScheduleMachine {
    /** The result of a decision about a schedule. */
    public record Scheduled(StoredSchedule schedule, List<WorkflowCommand> commands) {
        public Scheduled {
            commands = List.copyOf(commands);
        }
    }

    private final StoredSchedule before;
    private final Workflow workflow;
    private final String yaml;
    private final EngineContext engine;
    private final List<WorkflowCommand> commands = new ArrayList<>();

    /** @param yaml the text of the definition */
    private ScheduleMachine(StoredSchedule before, Workflow workflow, String yaml, EngineContext engine) {
        this.before = before;
        this.workflow = workflow;
        this.yaml = yaml;
        this.engine = engine;
    }

    /**
     * Starts a schedule, or replaces its definition. A command with a lower revision than the schedule's is ignored: it
     * was overtaken by a later one.
     *
     * @param existing the current schedule, or null
     * @param digest of the definition's YAML
     */
    public static Scheduled set(
            @Nullable StoredSchedule existing,
            SetSchedule command,
            Workflow workflow,
            String digest,
            EngineContext engine) {
        if (existing != null && command.revision() < existing.revision()) {
            return new Scheduled(existing, List.of());
        }
        if (existing != null && digest.equals(existing.definition())) {
            return new Scheduled(takeOver(existing, command), List.of());
        }
        var machine = new ScheduleMachine(created(command, digest, engine), workflow, command.definition(), engine);
        if (existing != null) {
            machine.commands.addAll(unsubscriptions(existing, engine));
        }
        return machine.start();
    }

    /**
     * Ends a schedule. Its revision is kept, also where there was none, so that an earlier command that arrives later
     * does not start it.
     *
     * @param existing the current schedule, or null
     */
    public static Scheduled remove(@Nullable StoredSchedule existing, RemoveSchedule command, EngineContext engine) {
        if (existing != null && command.revision() < existing.revision()) {
            return new Scheduled(existing, List.of());
        }
        var removed = new StoredSchedule(
                command.key(),
                command.meta().host(),
                null,
                null,
                null,
                engine.now(),
                null,
                null,
                null,
                List.of(),
                command.revision());
        return new Scheduled(removed, existing == null ? List.of() : unsubscriptions(existing, engine));
    }

    private static StoredSchedule created(SetSchedule command, String digest, EngineContext engine) {
        return new StoredSchedule(
                command.key(),
                command.meta().host(),
                command.definitionId(),
                digest,
                command.meta().user(),
                engine.now(),
                null,
                null,
                null,
                List.of(),
                command.revision());
    }

    /** The running schedule of the same definition, which another person may have published again. */
    private static StoredSchedule takeOver(StoredSchedule existing, SetSchedule command) {
        return new StoredSchedule(
                existing.key(),
                existing.host(),
                command.definitionId(),
                existing.definition(),
                command.meta().user(),
                existing.handled(),
                existing.due(),
                existing.running(),
                existing.trigger(),
                existing.types(),
                command.revision());
    }

    private static List<WorkflowCommand> unsubscriptions(StoredSchedule schedule, EngineContext engine) {
        var commands = new ArrayList<WorkflowCommand>();
        for (String type : schedule.types()) {
            RecordKey router = EventRouter.key(schedule.key().project(), type);
            commands.add(new Unsubscribe(meta(schedule, engine, commands.size()), router, schedule.key()));
        }
        return commands;
    }

    /** A timer fired. */
    public static Scheduled tick(StoredSchedule schedule, Workflow workflow, String yaml, EngineContext engine) {
        return new ScheduleMachine(schedule, workflow, yaml, engine).due();
    }

    /** A process started by the schedule has ended. */
    public static Scheduled onProcessEnded(
            StoredSchedule schedule, Workflow workflow, String yaml, UUID process, EngineContext engine) {
        Duration after =
                workflow.schedule() == null ? null : workflow.schedule().after();
        if (after == null || !process.equals(schedule.running())) {
            return new Scheduled(schedule, List.of());
        }
        var machine = new ScheduleMachine(schedule, workflow, yaml, engine);
        return machine.toScheduled(schedule.handled(), engine.now().plus(after), null, schedule.trigger());
    }

    /** A CloudEvent. */
    public static Scheduled event(
            StoredSchedule schedule, Workflow workflow, String yaml, Json event, EngineContext engine) {
        return new ScheduleMachine(schedule, workflow, yaml, engine).onTrigger(event);
    }

    private Scheduled start() {
        Instant now = engine.now();
        Schedule clock = workflow.schedule();
        if (clock == null) {
            Workflow trigger = trigger();
            ProcessDecision decision = listening(trigger);
            List<String> types =
                    List.copyOf(Objects.requireNonNull(workflow.startedBy()).types());
            types.forEach(type -> send(new Subscribe(meta(), EventRouter.key(project(), type), before.key())));
            return new Scheduled(with(now, null, null, StateJson.write(decision.state()), types), commands);
        }
        if (clock.after() != null) {
            return toScheduled(now, null, startFirst(now), null);
        }
        return toScheduled(now, clock.next(now).orElse(null), null, null);
    }

    private Scheduled due() {
        Instant now = engine.now();
        Schedule clock = workflow.schedule();
        if (clock == null || before.due() == null || before.due().isAfter(now)) {
            return new Scheduled(before, List.of());
        }
        if (clock.after() != null) {
            return toScheduled(now, null, start(before.due(), Values.EMPTY_OBJECT), null);
        }
        Schedule.Due due = clock.due(before.handled(), now);
        due.starts().forEach(moment -> start(moment, Values.EMPTY_OBJECT));
        return toScheduled(due.handled(), clock.next(due.handled()).orElse(null), null, null);
    }

    private Scheduled onTrigger(Json event) {
        String trigger = before.trigger();
        if (trigger == null) {
            return new Scheduled(before, List.of());
        }
        Workflow listener = trigger();
        ProcessDecision decision =
                ProcessMachine.decide(listener, StateJson.read(trigger), new ProcessInput.Event(event), engine);
        ProcessState state = decision.state();
        if (state.phase().isFinal()) {
            if (state.error() == null) {
                start(Ids.of("triggered", state.output()), engine.now(), state.output());
            }
            state = listening(listener).state();
        }
        return new Scheduled(with(before.handled(), null, null, StateJson.write(state), before.types()), commands);
    }

    /** Another version may have started a process in the same moment. */
    private UUID startFirst(Instant moment) {
        return start(Ids.of("scheduled first", before.key(), definitionId(), moment), moment, Values.EMPTY_OBJECT);
    }

    private UUID start(Instant moment, Json input) {
        return start(Ids.of("scheduled", before.key(), moment), moment, input);
    }

    private UUID start(UUID id, Instant moment, Json input) {
        UUID process = Ids.of("scheduled process", before.key(), id);
        send(new StartProcess(
                meta(process, before, engine),
                new ProcessRef(before.host(), project(), process),
                definitionId(),
                yaml,
                workflow.name() + "@" + moment,
                input.toString(),
                "{}",
                null,
                null,
                before.key(),
                null));
        return process;
    }

    /** The hidden workflow that listens for the starting events. */
    private Workflow trigger() {
        Json source = workflow.source();
        Json listen = Json.of(
                "listen", Json.of("to", source.get("schedule").get("on")).with("read", Json.of("envelope")));
        Json definition =
                Json.of("document", source.get("document")).with("do", Json.of(List.of(Json.of("trigger", listen))));
        Json complete =
                source.get("evaluate").isNull() ? definition : definition.with("evaluate", source.get("evaluate"));
        return DefinitionReader.read(complete.toString());
    }

    private ProcessDecision listening(Workflow trigger) {
        return ProcessMachine.start(
                trigger, new ProcessInput.Start(before.key().session(), Values.EMPTY_OBJECT), engine);
    }

    private UUID definitionId() {
        return Objects.requireNonNull(before.definitionId(), "a removed schedule starts nothing");
    }

    private String project() {
        return before.key().project();
    }

    private void send(WorkflowCommand command) {
        commands.add(command);
    }

    private CommandMeta meta() {
        return meta(before, engine, commands.size());
    }

    private static CommandMeta meta(StoredSchedule schedule, EngineContext engine, int index) {
        return meta(Ids.of("of schedule", schedule.key(), engine.now(), index), schedule, engine);
    }

    private static CommandMeta meta(UUID id, StoredSchedule schedule, EngineContext engine) {
        return new CommandMeta(id, schedule.host(), engine.now(), schedule.user(), null, null)
                .by(Actor.schedule(schedule.key().session()));
    }

    private Scheduled toScheduled(
            Instant handled, @Nullable Instant due, @Nullable UUID running, @Nullable String trigger) {
        return new Scheduled(with(handled, due, running, trigger, before.types()), commands);
    }

    private StoredSchedule with(
            Instant handled,
            @Nullable Instant due,
            @Nullable UUID running,
            @Nullable String trigger,
            List<String> types) {
        return new StoredSchedule(
                before.key(),
                before.host(),
                before.definitionId(),
                before.definition(),
                before.user(),
                handled,
                due,
                running,
                trigger,
                types,
                before.revision());
    }

    /** Whether a workflow has a schedule or starts on events. */
    public static boolean isScheduled(Workflow workflow) {
        return workflow.schedule() != null || workflow.startedBy() != null;
    }
}
