package dev.parley.workflows.simulation;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.EngineContext;
import dev.parley.workflows.engine.ProcessDecision;
import dev.parley.workflows.engine.ProcessEffect;
import dev.parley.workflows.engine.ProcessEvent;
import dev.parley.workflows.engine.ProcessInput;
import dev.parley.workflows.engine.ProcessMachine;
import dev.parley.workflows.engine.ProcessState;
import dev.parley.workflows.engine.StateJson;
import dev.parley.workflows.engine.WorkflowError;
import dev.parley.workflows.json.Json;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Simulated run of one process to its end or to an unanswered call. Calls are not made, and the clock jumps to the next
 * due time.
 */
public final class Simulation {
    private static final int MAX_INPUTS = 10_000;

    private final Workflow workflow;
    private final World world;
    private final Deque<ProcessInput> inputs = new ArrayDeque<>();
    private final List<ProcessEvent> events = new ArrayList<>();
    private final List<ProcessEffect> effects = new ArrayList<>();
    private Instant now;

    /** The simulated environment. */
    public interface World {
        /** The answer to a call, or empty for none. */
        Optional<Answer> call(ProcessEffect.Call call);

        /** A person's answer, or empty for none. */
        Optional<Json> ask(ProcessEffect.Ask ask);

        /** The events for a listening task. */
        default List<Json> listen(ProcessEffect.Listen listen) {
            return List.of();
        }
    }

    /**
     * The result of a call.
     *
     * @param error null if it succeeds
     */
    public record Answer(Json output, @Nullable WorkflowError error) {}

    /**
     * Result of a run.
     *
     * @param events in order
     * @param effects in order
     */
    public record Result(ProcessState state, List<ProcessEvent> events, List<ProcessEffect> effects, String next) {
        /** Names of the tasks in order of their start. */
        public List<String> begunTasks() {
            var seen = new HashSet<Long>();
            return changes()
                    .filter(change -> change.phase() == Phase.RUNNING && seen.add(change.order()))
                    .map(ProcessEvent.TaskChanged::name)
                    .toList();
        }

        /** Names of the completed tasks in order. */
        public List<String> completedTasks() {
            return enteredTasks(Phase.COMPLETED);
        }

        /** Names of the tasks in the order in which they entered a phase. */
        public List<String> enteredTasks(Phase phase) {
            return changes()
                    .filter(change -> change.phase() == phase)
                    .map(ProcessEvent.TaskChanged::name)
                    .toList();
        }

        /** Task events. */
        public Stream<ProcessEvent.TaskChanged> changes() {
            return events.stream()
                    .filter(ProcessEvent.TaskChanged.class::isInstance)
                    .map(ProcessEvent.TaskChanged.class::cast);
        }
    }

    private Simulation(Workflow workflow, World world, Instant now) {
        this.workflow = workflow;
        this.world = world;
        this.now = now;
    }

    /**
     * Runs a process.
     *
     * @param now time of the start
     * @throws ProcessMachine.InvalidInputException if the input does not match the definition
     */
    public static Result run(Workflow workflow, Json input, World world, Instant now) {
        var simulation = new Simulation(workflow, world, now);
        var start = new ProcessInput.Start("00000000-0000-0000-0000-000000000001", input);
        return simulation.goOn(simulation.take(ProcessMachine.start(workflow, start, simulation.engineContext())));
    }

    /** Continues a process with an input. */
    public static Result goOn(Workflow workflow, ProcessState before, ProcessInput input, World world, Instant now) {
        var simulation = new Simulation(workflow, world, now);
        return simulation.goOn(
                simulation.take(ProcessMachine.decide(workflow, before, input, simulation.engineContext())));
    }

    private Result goOn(ProcessState initial) {
        ProcessState state = initial;
        for (int i = 0; i < MAX_INPUTS && !state.phase().isFinal(); i++) {
            ProcessInput next = inputs.poll();
            if (next == null) {
                Optional<Instant> due = ProcessMachine.nextDue(state);
                if (due.isEmpty()) {
                    break;
                }
                now = due.get().isAfter(now) ? due.get() : now;
                next = new ProcessInput.Tick();
            }
            state = take(ProcessMachine.decide(workflow, state, next, engineContext()));
        }
        return new Result(state, events, effects, ProcessMachine.next(workflow, state));
    }

    private EngineContext engineContext() {
        return new EngineContext(now, "test");
    }

    private ProcessState take(ProcessDecision decision) {
        events.addAll(decision.events());
        effects.addAll(decision.effects());
        decision.effects().forEach(this::answer);
        return StateJson.read(StateJson.write(decision.state())); // as stored between decisions
    }

    private void answer(ProcessEffect effect) {
        switch (effect) {
            case ProcessEffect.Call call ->
                world.call(call)
                        .ifPresent(answer ->
                                inputs.add(new ProcessInput.Result(call.key(), answer.output(), answer.error())));
            case ProcessEffect.Ask ask ->
                world.ask(ask).ifPresent(value -> inputs.add(new ProcessInput.Answer(ask.order(), value)));
            case ProcessEffect.Listen listen ->
                world.listen(listen).forEach(event -> inputs.add(new ProcessInput.Event(event)));
            case ProcessEffect.Yield _ -> inputs.add(new ProcessInput.Tick());
            case ProcessEffect.CancelCall _,
                    ProcessEffect.CancelAsk _,
                    ProcessEffect.Escalate _,
                    ProcessEffect.CancelListen _,
                    ProcessEffect.Emit _ -> {
                // ignored
            }
        }
    }
}
