package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Block;
import dev.parley.workflows.definition.DataFlow;
import dev.parley.workflows.definition.DurationExpression;
import dev.parley.workflows.definition.Schema;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Failed;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.engine.ProcessEvent.TaskChanged;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.ExpressionException;
import dev.parley.workflows.expression.Scope;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Mutable state of one decision about a process: starts and resumes it, runs its lists of tasks, and has their data. {@link TaskRun} runs one
 * task.
 */
final class Draft {
    /** Maximum number of tasks started in one decision. */
    static final int MAX_STEPS = 200;

    /** Maximum number of tasks of a process. */
    static final long MAX_TASKS = 100_000;

    /** Maximum weight of a task's data and of the context, in characters and items. */
    static final long MAX_WEIGHT = 1_000_000;

    private final Workflow workflow;
    private final EngineContext surroundings;
    private final ProcessState before;
    private final List<ProcessEvent> events = new ArrayList<>();
    private final List<Effect> effects = new ArrayList<>();
    private Json workflowInput;
    private Json context;
    private long order;
    private boolean suspended;
    private int steps;

    Draft(Workflow workflow, ProcessState state, EngineContext surroundings) {
        this.workflow = workflow;
        this.surroundings = surroundings;
        before = state;
        workflowInput = state.input();
        context = state.context();
        order = state.order();
        suspended = state.suspended();
    }

    // ---- the process

    ProcessDecision start(ProcessInput.@Nullable From from) {
        int first = from == null ? 0 : workflow.body().indexOf(from.task());
        if (from != null && first < 0) {
            throw new ProcessMachine.InvalidInputException("there is no task '" + from.task() + "' to begin from");
        }
        Json raw = completed(before.rawInput());
        context = raw;
        Outcome<Frame.Work> outcome;
        Instant deadline = null;
        try {
            Template transform = workflow.input().transform();
            workflowInput = transform == null ? raw : transform.evaluate(scope(null, raw, Locals.NONE, Map.of()));
            context = workflowInput;
            deadline = deadline();
            if (from != null) {
                context = from.context();
            }
            Block body = workflow.body();
            Json data = from == null ? workflowInput : from.input();
            outcome = block(body, first, 0, data, Locals.NONE, body.pointer());
        } catch (ExpressionException e) {
            outcome = new Failed<>(Standard.EXPRESSION.error(String.valueOf(e.getMessage()), ""));
        }
        return ended(outcome, deadline);
    }

    /** The input with the defaults of its schema, where the dialect fills them in. */
    private Json completed(Json raw) {
        Schema schema = workflow.input().schema();
        if (schema == null) {
            return raw;
        }
        Json completed = workflow.looksAtContext() ? schema.completed(raw) : raw;
        List<String> errors = schema.errors(completed);
        if (!errors.isEmpty()) {
            throw new ProcessMachine.InvalidInputException(String.join("; ", errors));
        }
        return completed;
    }

    ProcessDecision decide(ProcessInput input) {
        Frame.Work body = before.body();
        if (body == null || !accepts(input)) {
            return new ProcessDecision(before, List.of(), List.of());
        }
        return switch (input) {
            case ProcessInput.Cancel(String reason) -> {
                cancel(body);
                yield closed(Phase.CANCELLED, Values.NULL, Standard.RUNTIME.error("cancelled: " + reason, ""), null);
            }
            case ProcessInput.Suspend suspend -> {
                suspended = true;
                yield resume(body, suspend);
            }
            case ProcessInput.Resume _ -> {
                suspended = false;
                yield resume(body, new ProcessInput.Tick());
            }
            case ProcessInput.Tick _ when isDue(before.deadline()) -> {
                cancel(body);
                yield ended(new Failed<>(Standard.TIMEOUT.error("the workflow timed out", "/timeout")), null);
            }
            case ProcessInput other -> resume(body, other);
        };
    }

    private void cancel(Frame.Work body) {
        new TaskCancellation(this).cancel(workflow.body(), body);
    }

    private ProcessDecision resume(Frame.Work body, ProcessInput input) {
        Instant deadline;
        try {
            deadline = isBroken() ? deadline() : before.deadline();
        } catch (ExpressionException e) {
            return new ProcessDecision(before, List.of(), List.of()); // cannot happen: it was evaluated at the start
        }
        Block block = workflow.body();
        return ended(resume(block, body, input, Locals.NONE, block.pointer()), deadline);
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
        return timeout == null ? null : now().plus(timeout.evaluate(scope(null, workflowInput, Locals.NONE, Map.of())));
    }

    private ProcessDecision ended(Outcome<Frame.Work> outcome, @Nullable Instant deadline) {
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work at) -> open(at, deadline);
            case Failed<Frame.Work>(WorkflowError error, Frame.Work at) ->
                closed(Phase.FAULTED, Values.NULL, error, at);
            case Done<Frame.Work> done -> {
                try {
                    Json last = transformed(workflow.output(), done.output(), null, Locals.NONE, "/output");
                    yield closed(Phase.COMPLETED, last, null, null);
                } catch (TaskFailure e) {
                    yield closed(Phase.FAULTED, Values.NULL, e.error(), null);
                }
            }
        };
    }

    private ProcessDecision open(Frame.Work at, @Nullable Instant deadline) {
        Phase phase = suspended ? Phase.SUSPENDED : Frame.phase(at);
        return decided(phase, Values.NULL, null, null, deadline, at);
    }

    private ProcessDecision closed(Phase phase, Json output, @Nullable WorkflowError error, Frame.@Nullable Work at) {
        suspended = false;
        return decided(phase, output, error, now(), null, at);
    }

    private ProcessDecision decided(
            Phase phase,
            Json output,
            @Nullable WorkflowError error,
            @Nullable Instant completedAt,
            @Nullable Instant deadline,
            Frame.@Nullable Work body) {
        if (phase != before.phase()) {
            events.add(new ProcessEvent.ProcessChanged(phase, now(), context, output, error));
        }
        ProcessState state = before.with()
                .phase(phase)
                .input(workflowInput)
                .context(context)
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

    // ---- shared by the parts of a decision

    Instant now() {
        return surroundings.now();
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

    void effect(Effect effect) {
        effects.add(effect);
    }

    /** Records a change of a task's phase. @param begins whether the task begins */
    void changed(
            Task task, Frame frame, Phase phase, Json output, @Nullable WorkflowError error, boolean begins) {
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

    // ---- lists of tasks

    /** Runs a list of tasks. @param path of the list, with the numbers of iterations and laps */
    Outcome<Frame.Work> block(Block block, Json data, Locals locals, String path) {
        return block(block, 0, 0, data, locals, path);
    }

    private Outcome<Frame.Work> block(Block block, int from, int laps, Json input, Locals locals, String path) {
        int index = from;
        int lap = laps;
        Json data = input;
        while (index < block.tasks().size()) {
            if (suspended || steps >= MAX_STEPS) {
                return yielded(new Frame.Yielded(index, lap, data));
            }
            Task task = block.tasks().get(index);
            Outcome<Frame> outcome = enter(task, data, locals, path(path, index, lap, task));
            if (!(outcome instanceof Done<Frame> done) || done.leaves()) {
                return inSequence(index, lap, outcome);
            }
            data = done.output();
            int next = next(block, index, done.then());
            lap += next <= index ? 1 : 0;
            index = next;
        }
        return new Done<>(data);
    }

    /** Leaves the other tasks to the next decision: after a resumption, or after other processes had their turn. */
    private Outcome<Frame.Work> yielded(Frame.Yielded at) {
        if (!suspended && !effects.contains(new Effect.Yield())) {
            effects.add(new Effect.Yield());
        }
        return new Running<>(at);
    }

    private static Outcome<Frame.Work> inSequence(int index, int lap, Outcome<Frame> outcome) {
        return outcome.map(frame -> new Frame.Sequence(index, lap, frame));
    }

    private static int next(Block block, int index, String then) {
        return then.equals(Task.CONTINUE) ? index + 1 : block.indexOf(then);
    }

    private static String path(String path, int index, int lap, Task task) {
        return JsonPointer.child(path + "/" + index, task.name()) + (lap == 0 ? "" : "@" + lap);
    }

    /** Passes an input to the running task of a list. */
    Outcome<Frame.Work> resume(Block block, Frame.Work work, ProcessInput input, Locals locals, String path) {
        if (work instanceof Frame.Yielded(int index, int lap, Json data)) {
            return input instanceof ProcessInput.Tick
                    ? block(block, index, lap, data, locals, path)
                    : new Running<>(work);
        }
        var sequence = (Frame.Sequence) work;
        int index = sequence.index();
        int lap = sequence.lap();
        Outcome<Frame> outcome = new TaskRun(this, block.tasks().get(index), sequence.task(), locals).resume(input);
        if (!(outcome instanceof Done<Frame> done) || done.leaves()) {
            return inSequence(index, lap, outcome);
        }
        int next = next(block, index, done.then());
        return block(block, next, next <= index ? lap + 1 : lap, done.output(), locals, path);
    }

    // ---- tasks

    /** Starts a task. */
    Outcome<Frame> enter(Task task, Json raw, Locals locals, String path) {
        return enter(task, raw, locals, path, locals.firstAttempt(task.retry()), now());
    }

    /** Starts an attempt of a task. @param since start of its first attempt */
    Outcome<Frame> enter(Task task, Json raw, Locals locals, String path, int attempt, Instant since) {
        steps++;
        long number = countTask();
        if (number > MAX_TASKS) {
            return new Failed<>(
                    Standard.RUNTIME.error("the process began more than " + MAX_TASKS + " tasks", task.pointer()));
        }
        var frame = new Frame(task.pointer(), number, path, attempt, raw, raw, now(), since, null, Frame.NOT_BEGUN);
        return new TaskRun(this, task, frame, locals).begin();
    }

    /** The number of a task that is started. */
    long countTask() {
        return ++order;
    }

    /** Takes back the number of the last task, which does not run. */
    void uncountTask() {
        order--;
    }

    // ---- data

    /** An output, transformed and checked. @param frame null outside of tasks */
    Json transformed(DataFlow data, Json output, @Nullable Frame frame, Locals locals, String pointer) {
        Template transform = data.transform();
        Json transformed = transform == null
                ? output
                : evaluated(
                        () -> transform.evaluate(scope(frame, output, locals, Map.of("output", () -> output))),
                        pointer);
        if (data.schema() != null) {
            check(data.schema().errors(transformed), "the output", pointer);
        }
        bounded(transformed, "the output", pointer);
        return transformed;
    }

    /** Exports an output to the context. */
    void export(DataFlow data, Json output, Frame frame, Locals locals, String pointer) {
        Template transform = data.transform();
        if (transform == null) {
            return;
        }
        Scope scope = workflow.looksAtContext()
                ? new Scope(shared(locals).with("output", output), Map.of())
                : scope(frame, output, locals, Map.of("output", () -> output));
        Json exported = evaluated(() -> transform.evaluate(scope), pointer);
        Json changed = workflow.looksAtContext() ? merged(context, exported.map()) : exported;
        if (data.schema() != null) {
            check(data.schema().errors(changed), "the context", pointer);
        }
        bounded(changed, "the context", pointer);
        context = changed;
        events.add(new ProcessEvent.ContextChanged(context));
    }

    private static Json merged(Json object, Map<String, Json> others) {
        Json merged = object;
        for (var member : others.entrySet()) {
            merged = merged.with(member.getKey(), member.getValue());
        }
        return merged;
    }

    private static void bounded(Json value, String what, String pointer) {
        if (value.weight() > MAX_WEIGHT) {
            throw new TaskFailure(
                    Standard.RUNTIME.error(what + " has more than " + MAX_WEIGHT + " characters and items", pointer));
        }
    }

    static void check(List<String> errors, String what, String pointer) {
        if (!errors.isEmpty()) {
            throw new TaskFailure(Standard.VALIDATION.error(
                    what + " does not match its schema: " + String.join("; ", errors), pointer));
        }
    }

    // ---- expressions

    /** The value of an expression; its failure fails the task. */
    <T> T evaluated(Supplier<T> value, String pointer) {
        try {
            return value.get();
        } catch (ExpressionException e) {
            throw new TaskFailure(Standard.EXPRESSION.error(String.valueOf(e.getMessage()), pointer));
        }
    }

    /** The data visible to an expression. @param frame null outside of tasks */
    Scope scope(@Nullable Frame frame, Json data, Locals locals, Map<String, Supplier<Json>> more) {
        if (workflow.looksAtContext()) {
            return new Scope(shared(locals), Map.of());
        }
        var variables = new HashMap<String, Supplier<Json>>();
        variables.put("context", () -> context);
        variables.put("input", () -> frame == null ? workflowInput : frame.input());
        variables.put("now", () -> seconds(now()));
        variables.put("workflow", this::workflowVariable);
        variables.put(
                "runtime", () -> Json.of("name", Json.of("parley")).with("version", Json.of(surroundings.version())));
        if (frame != null) {
            variables.put("task", () -> taskVariable(frame, more));
        }
        locals.variables().forEach((name, value) -> variables.put(name, () -> value));
        variables.putAll(more);
        return new Scope(data, variables);
    }

    /** Data of Light-Fabric's expressions: the context, with the local variables. */
    Json shared(Locals locals) {
        return merged(context, locals.variables());
    }

    /** The variable {@code $workflow}. */
    private Json workflowVariable() {
        return Json.of("id", Json.of(before.id()))
                .with("definition", workflow.source())
                .with("input", before.rawInput())
                .with("startedAt", timestamp(before.startedAt()));
    }

    /** The variable {@code $task}: a task with the members of its definition. */
    private Json taskVariable(Frame frame, Map<String, Supplier<Json>> more) {
        Json definition = JsonPointer.at(workflow.source(), frame.pointer());
        return definition
                .with("definition", definition)
                .with("name", Json.of(JsonPointer.name(frame.pointer())))
                .with("reference", Json.of(frame.pointer()))
                .with("input", frame.raw())
                .with("output", more.getOrDefault("output", () -> Values.NULL).get())
                .with("startedAt", timestamp(frame.startedAt()));
    }

    private static Json timestamp(Instant at) {
        return Json.of("iso8601", Json.of(at.toString()))
                .with(
                        "epoch",
                        Json.of("seconds", Json.of(at.getEpochSecond()))
                                .with("milliseconds", Json.of(at.toEpochMilli())));
    }

    private static Json seconds(Instant at) {
        return Json.of(at.getEpochSecond());
    }
}
