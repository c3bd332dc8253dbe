package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.DataFlow;
import dev.parley.workflows.definition.DurationExpression;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskBlock;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.ProcessEvent.TaskChanged;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.ExpressionException;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Mutable state of one decision about a process: starts and resumes it, and runs its lists of tasks. {@link TaskRun}
 * runs one task.
 */
final class ProcessDraft {
    /** Maximum number of tasks started in one decision. */
    static final int MAX_STEPS = 200;

    /** Maximum number of tasks of a process. */
    static final long MAX_TASKS = 100_000;

    private final Workflow workflow;
    private final EngineContext engine;
    private final ProcessState before;
    private final ProcessDataFlow data;
    private final List<ProcessEvent> events = new ArrayList<>();
    private final List<ProcessEffect> effects = new ArrayList<>();
    private long order;
    private boolean suspended;
    private int steps;

    ProcessDraft(Workflow workflow, ProcessState state, EngineContext engine) {
        this.workflow = workflow;
        this.engine = engine;
        before = state;
        data = new ProcessDataFlow(workflow, state, engine);
        order = state.order();
        suspended = state.suspended();
    }

    ProcessDecision start(ProcessInput.@Nullable From from) {
        int index = from == null ? 0 : workflow.body().indexOf(from.task());
        if (from != null && index < 0) {
            throw new ProcessMachine.InvalidInputException("there is no task '" + from.task() + "' to start from");
        }
        data.validateInput();
        StepOutcome<Frame.Work> outcome;
        Instant deadline = null;
        try {
            data.transformInput();
            deadline = deadline();
            if (from != null) {
                data.setContext(from.context());
            }
            TaskBlock body = workflow.body();
            Json first = from == null ? data.input() : from.input();
            outcome = block(body, index, 0, first, Locals.NONE, body.pointer());
        } catch (ExpressionException e) {
            outcome = new Failed<>(Standard.EXPRESSION.error(String.valueOf(e.getMessage()), ""));
        }
        return toDecision(outcome, deadline);
    }

    ProcessDecision decide(ProcessInput input) {
        Frame.Work body = before.body();
        if (body == null || !accepts(input)) {
            return new ProcessDecision(before, List.of(), List.of());
        }
        return switch (input) {
            case ProcessInput.Cancel(String reason) -> cancel(body, reason);
            case ProcessInput.Fault(String detail) -> {
                cancelTasks(body);
                yield close(Phase.FAULTED, Values.NULL, Standard.RUNTIME.error(detail, ""), null);
            }
            case ProcessInput.Suspend suspend -> {
                suspended = true;
                yield resume(body, suspend);
            }
            case ProcessInput.Resume _ -> {
                suspended = false;
                yield resume(body, new ProcessInput.Tick());
            }
            case ProcessInput.Tick _ when isDue(before.deadline()) -> timeOut(body);
            case ProcessInput other -> resume(body, other);
        };
    }

    private ProcessDecision cancel(Frame.Work body, String reason) {
        cancelTasks(body);
        return close(Phase.CANCELLED, Values.NULL, Standard.RUNTIME.error("cancelled: " + reason, ""), null);
    }

    private ProcessDecision timeOut(Frame.Work body) {
        cancelTasks(body);
        return toDecision(new Failed<>(Standard.TIMEOUT.error("the workflow timed out", "/timeout")), null);
    }

    private void cancelTasks(Frame.Work body) {
        new TaskCancellation(this).cancel(workflow.body(), body);
    }

    private ProcessDecision resume(Frame.Work body, ProcessInput input) {
        Instant deadline;
        try {
            deadline = isBroken() ? deadline() : before.deadline();
        } catch (ExpressionException e) {
            return new ProcessDecision(before, List.of(), List.of()); // cannot happen: it was evaluated at the start
        }
        TaskBlock block = workflow.body();
        return toDecision(resume(block, body, input, Locals.NONE, block.pointer()), deadline);
    }

    private boolean accepts(ProcessInput input) {
        return input instanceof ProcessInput.Repair repair
                ? Frame.all(before.body()).anyMatch(repair::names)
                : !before.phase().isFinal();
    }

    /** Whether the process is faulted. */
    boolean isBroken() {
        return before.phase() == Phase.FAULTED;
    }

    private @Nullable Instant deadline() {
        DurationExpression timeout = workflow.timeout();
        return timeout == null
                ? null
                : now().plus(timeout.evaluate(data.scope(null, data.input(), Locals.NONE, Map.of())));
    }

    private ProcessDecision toDecision(StepOutcome<Frame.Work> outcome, @Nullable Instant deadline) {
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work progress) -> open(progress, deadline);
            case Failed<Frame.Work>(WorkflowError error, Frame.Work progress) ->
                close(Phase.FAULTED, Values.NULL, error, progress);
            case Done<Frame.Work> done -> {
                try {
                    Json last = data.transformOutput(workflow.output(), done.output(), null, Locals.NONE, "/output");
                    yield close(Phase.COMPLETED, last, null, null);
                } catch (TaskFailure e) {
                    yield close(Phase.FAULTED, Values.NULL, e.error(), null);
                }
            }
        };
    }

    private ProcessDecision open(Frame.Work progress, @Nullable Instant deadline) {
        Phase phase = suspended ? Phase.SUSPENDED : Frame.phase(progress);
        return decide(phase, Values.NULL, null, null, deadline, progress);
    }

    private ProcessDecision close(
            Phase phase, Json output, @Nullable WorkflowError error, Frame.@Nullable Work progress) {
        suspended = false;
        return decide(phase, output, error, now(), null, progress);
    }

    private ProcessDecision decide(
            Phase phase,
            Json output,
            @Nullable WorkflowError error,
            @Nullable Instant completedAt,
            @Nullable Instant deadline,
            Frame.@Nullable Work body) {
        if (phase != before.phase()) {
            events.add(new ProcessEvent.ProcessChanged(phase, now(), data.context(), output, error));
        }
        ProcessState state = before.with()
                .phase(phase)
                .input(data.input())
                .context(data.context())
                .output(output)
                .error(error)
                .completedAt(completedAt)
                .deadline(deadline)
                .body(body)
                .order(order)
                .suspended(suspended)
                .build();
        return new ProcessDecision(state, events, effects);
    }

    Instant now() {
        return engine.now();
    }

    boolean isDue(@Nullable Instant time) {
        return time != null && !time.isAfter(now());
    }

    Workflow workflow() {
        return workflow;
    }

    String id() {
        return before.id();
    }

    ProcessDataFlow data() {
        return data;
    }

    /** Exports the output of a task to the context. */
    void export(DataFlow export, Json output, Frame frame, Locals locals, String pointer) {
        if (data.export(export, output, frame, locals, pointer)) {
            events.add(new ProcessEvent.ContextChanged(data.context()));
        }
    }

    void effect(ProcessEffect effect) {
        effects.add(effect);
    }

    /**
     * Records a change of a task's phase.
     *
     * @param begins whether the task begins
     */
    void recordChange(Task task, Frame frame, Phase phase, Json output, @Nullable WorkflowError error, boolean begins) {
        events.add(new TaskChanged(
                frame.order(),
                task.name(),
                task.kind().type(),
                frame.pointer(),
                frame.path(),
                frame.attempt(),
                phase,
                now(),
                frame.input(),
                output,
                error,
                begins));
    }

    /**
     * Runs a list of tasks.
     *
     * @param path of the list, with the numbers of iterations and laps
     */
    StepOutcome<Frame.Work> block(TaskBlock block, Json input, Locals locals, String path) {
        return block(block, 0, 0, input, locals, path);
    }

    private StepOutcome<Frame.Work> block(TaskBlock block, int from, int laps, Json input, Locals locals, String path) {
        int index = from;
        int lap = laps;
        Json current = input;
        while (index < block.tasks().size()) {
            if (suspended || steps >= MAX_STEPS) {
                return yieldAt(new Frame.Yielded(index, lap, current));
            }
            Task task = block.tasks().get(index);
            StepOutcome<Frame> outcome = enter(task, current, locals, path(path, index, lap, task));
            if (!(outcome instanceof Done<Frame> done) || done.leaves()) {
                return inSequence(index, lap, outcome);
            }
            current = done.output();
            int next = next(block, index, done.then());
            lap += next <= index ? 1 : 0;
            index = next;
        }
        return new Done<>(current);
    }

    /** Leaves the other tasks to the next decision: after a resumption, or after other processes have run. */
    private StepOutcome<Frame.Work> yieldAt(Frame.Yielded progress) {
        if (!suspended && !effects.contains(new ProcessEffect.Yield())) {
            effects.add(new ProcessEffect.Yield());
        }
        return new Running<>(progress);
    }

    private static StepOutcome<Frame.Work> inSequence(int index, int lap, StepOutcome<Frame> outcome) {
        return outcome.map(frame -> new Frame.Sequence(index, lap, frame));
    }

    private static int next(TaskBlock block, int index, String then) {
        return then.equals(Task.CONTINUE) ? index + 1 : block.indexOf(then);
    }

    private static String path(String path, int index, int lap, Task task) {
        return JsonPointer.child(path + "/" + index, task.name()) + (lap == 0 ? "" : "@" + lap);
    }

    /** Passes an input to the running task of a list. */
    StepOutcome<Frame.Work> resume(TaskBlock block, Frame.Work work, ProcessInput input, Locals locals, String path) {
        if (work instanceof Frame.Yielded(int index, int lap, Json next)) {
            return input instanceof ProcessInput.Tick
                    ? block(block, index, lap, next, locals, path)
                    : new Running<>(work);
        }
        var sequence = (Frame.Sequence) work;
        int index = sequence.index();
        int lap = sequence.lap();
        StepOutcome<Frame> outcome = new TaskRun(this, block.tasks().get(index), sequence.task(), locals).resume(input);
        if (!(outcome instanceof Done<Frame> done) || done.leaves()) {
            return inSequence(index, lap, outcome);
        }
        int next = next(block, index, done.then());
        return block(block, next, next <= index ? lap + 1 : lap, done.output(), locals, path);
    }

    /** Starts a task. */
    StepOutcome<Frame> enter(Task task, Json raw, Locals locals, String path) {
        return enter(task, raw, locals, path, locals.firstAttempt(task.retry()), now());
    }

    /**
     * Starts an attempt of a task.
     *
     * @param since start of its first attempt
     */
    StepOutcome<Frame> enter(Task task, Json raw, Locals locals, String path, int attempt, Instant since) {
        steps++;
        long number = countTask();
        if (number > MAX_TASKS) {
            return new Failed<>(
                    Standard.RUNTIME.error("the process started more than " + MAX_TASKS + " tasks", task.pointer()));
        }
        var frame = new Frame(task.pointer(), number, path, attempt, raw, raw, now(), since, null, Frame.NOT_BEGUN);
        return new TaskRun(this, task, frame, locals).begin();
    }

    /** Counts a started task and returns its number. */
    long countTask() {
        return ++order;
    }

    /** Releases the number of the last task, which does not run. */
    void uncountTask() {
        order--;
    }
}
