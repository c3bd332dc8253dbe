package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.Block;
import dev.parley.workflows.definition.DataFlow;
import dev.parley.workflows.definition.DurationExpression;
import dev.parley.workflows.definition.Schema;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Failed;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.engine.ProcessEvent.TaskChanged;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.expression.ExpressionException;
import dev.parley.workflows.expression.Scope;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import dev.parley.workflows.json.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Mutable state of one decision about a process: enters, resumes and finishes tasks and lists of tasks. {@link TaskKinds} has the behaviour of
 * each kind of task.
 *
 * <p>It is long because lists of tasks, tasks and their data flow are mutually recursive.
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
    private final TaskKinds kinds = new TaskKinds(this);
    private Json input;
    private Json context;
    private long order;
    private boolean suspended;
    private int steps;

    Draft(Workflow workflow, ProcessState state, EngineContext surroundings) {
        this.workflow = workflow;
        this.surroundings = surroundings;
        before = state;
        input = state.input();
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
            input = transform == null ? raw : transform.evaluate(scope(null, raw, Locals.NONE, Map.of()));
            context = input;
            deadline = deadline();
            if (from != null) {
                context = from.context();
            }
            Json given = from == null ? input : from.input();
            Block body = workflow.body();
            outcome = block(body, first, 0, given, Locals.NONE, body.pointer());
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

    ProcessDecision go(ProcessInput signal) {
        Frame.Work body = before.body();
        if (body == null || !isOpenTo(signal)) {
            return new ProcessDecision(before, List.of(), List.of());
        }
        switch (signal) {
            case ProcessInput.Cancel(String reason) -> {
                kinds.stop(body, workflow.body());
                return closed(Phase.CANCELLED, Values.NULL, Standard.RUNTIME.error("cancelled: " + reason, ""), null);
            }
            case ProcessInput.Suspend _ -> suspended = true;
            case ProcessInput.Resume _ -> suspended = false;
            default -> {}
        }
        if (signal instanceof ProcessInput.Tick && isDue(before.deadline())) {
            kinds.stop(body, workflow.body());
            return ended(new Failed<>(Standard.TIMEOUT.error("the workflow timed out", "/timeout")), null);
        }
        Instant deadline;
        try {
            deadline = isBroken() ? deadline() : before.deadline();
        } catch (ExpressionException e) {
            return new ProcessDecision(before, List.of(), List.of()); // cannot happen: it was evaluated at the start
        }
        ProcessInput passed = signal instanceof ProcessInput.Resume ? new ProcessInput.Tick() : signal;
        Outcome<Frame.Work> outcome = resume(
                workflow.body(), body, passed, Locals.NONE, workflow.body().pointer());
        return ended(outcome, deadline);
    }

    private boolean isOpenTo(ProcessInput signal) {
        return signal instanceof ProcessInput.Repair repair
                ? Frame.all(before.body()).anyMatch(repair::names)
                : !before.phase().isFinal();
    }

    /** Whether the process is faulted. */
    private boolean isBroken() {
        return before.phase() == Phase.FAULTED;
    }

    private @Nullable Instant deadline() {
        DurationExpression timeout = workflow.timeout();
        return timeout == null ? null : now().plus(timeout.evaluate(scope(null, input, Locals.NONE, Map.of())));
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
        Phase phase = suspended ? Phase.SUSPENDED : kinds.phase(at);
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
                .input(input)
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

    /** Records a change of a task's phase. */
    void changed(Task task, Frame frame, Phase phase, Json output, @Nullable WorkflowError error) {
        changed(task, frame, phase, output, error, false);
    }

    private void begun(Task task, Frame frame) {
        changed(task, frame, Phase.RUNNING, Values.NULL, null, true);
    }

    private void changed(
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

    private Outcome<Frame.Work> block(Block block, int from, int lapped, Json data, Locals locals, String path) {
        int index = from;
        int lap = lapped;
        Json at = data;
        while (index < block.tasks().size()) {
            if (suspended || steps >= MAX_STEPS) {
                if (!suspended && !effects.contains(new Effect.Yield())) {
                    effects.add(new Effect.Yield());
                }
                return new Running<>(new Frame.Yielded(index, lap, at));
            }
            Task task = block.tasks().get(index);
            int place = index;
            int round = lap;
            Outcome<Frame> outcome = enter(task, at, locals, path(path, index, lap, task));
            switch (outcome) {
                case Running<Frame> _, Failed<Frame> _ -> {
                    return at(outcome, frame -> new Frame.Sequence(place, round, frame));
                }
                case Done<Frame>(Json output, String then) -> {
                    if (leaves(then)) {
                        return new Done<>(output, then);
                    }
                    at = output;
                    int next = next(block, index, then);
                    lap += next <= index ? 1 : 0;
                    index = next;
                }
            }
        }
        return new Done<>(at, Outcome.AS_IT_SAYS);
    }

    private static boolean leaves(String then) {
        return then.equals(Task.END) || then.equals(Task.EXIT);
    }

    /** The outcome of a task from that of its list of tasks: only {@code end} propagates outwards. */
    static <T> Outcome<T> outside(Outcome<T> outcome) {
        return outcome instanceof Done<T>(Json output, String then) && !then.equals(Task.END)
                ? new Done<>(output, Outcome.AS_IT_SAYS)
                : outcome;
    }

    private static int next(Block block, int index, String then) {
        return then.equals(Task.CONTINUE) ? index + 1 : block.indexOf(then);
    }

    private static String path(String path, int index, int lap, Task task) {
        return JsonPointer.child(path + "/" + index, task.name()) + (lap == 0 ? "" : "@" + lap);
    }

    /** Passes an input to the running task of a list. */
    Outcome<Frame.Work> resume(Block block, Frame.Work work, ProcessInput signal, Locals locals, String path) {
        if (work instanceof Frame.Yielded yielded) {
            return signal instanceof ProcessInput.Tick
                    ? block(block, yielded.index(), yielded.lap(), yielded.input(), locals, path)
                    : new Running<>(work);
        }
        var sequence = (Frame.Sequence) work;
        int index = sequence.index();
        int lap = sequence.lap();
        Outcome<Frame> outcome = resume(block.tasks().get(index), sequence.task(), signal, locals);
        return switch (outcome) {
            case Running<Frame> _, Failed<Frame> _ -> at(outcome, frame -> new Frame.Sequence(index, lap, frame));
            case Done<Frame>(Json output, String then) -> {
                if (leaves(then)) {
                    yield new Done<>(output, then);
                }
                int next = next(block, index, then);
                yield block(block, next, next <= index ? lap + 1 : lap, output, locals, path);
            }
        };
    }

    // ---- a task

    /** Starts a task. */
    Outcome<Frame> enter(Task task, Json raw, Locals locals, String path) {
        return enter(task, raw, locals, path, locals.firstAttempt(task.retry()), now());
    }

    private Outcome<Frame> enter(Task task, Json raw, Locals locals, String path, int attempt, Instant since) {
        steps++;
        order++;
        var frame = new Frame(task.pointer(), order, path, attempt, raw, raw, now(), since, null, Frame.NOT_BEGUN);
        if (order > MAX_TASKS) {
            return new Failed<>(
                    Standard.RUNTIME.error("the process began more than " + MAX_TASKS + " tasks", task.pointer()));
        }
        Outcome<Frame.Work> begun;
        try {
            if (task.condition() != null
                    && !evaluate(task.condition(), task, frame, raw, locals).isTruthy()) {
                order--;
                return new Done<>(raw, Task.CONTINUE);
            }
            frame = entered(task, frame, input(task, frame, locals), locals);
            begun(task, frame);
            begun = kinds.begin(task, frame, within(task, frame, locals));
        } catch (TaskFailure e) {
            begun = new Failed<>(e.error());
        }
        return finish(task, frame, begun, locals);
    }

    /** The input of a task, checked against its schema and transformed. */
    private Json input(Task task, Frame frame, Locals locals) {
        DataFlow data = task.input();
        if (data.schema() != null) {
            check(data.schema().errors(frame.raw()), "the input", task.pointer());
        }
        return data.transform() == null ? frame.raw() : evaluate(data.transform(), task, frame, frame.raw(), locals);
    }

    /** The scope of a task's inner tasks, with its attempts. */
    private static Locals within(Task task, Frame frame, Locals locals) {
        return locals.trying(task.retry(), frame.attempt() - locals.firstAttempt(task.retry()));
    }

    private Frame entered(Task task, Frame frame, Json transformed, Locals locals) {
        Frame known = frame.withInput(transformed);
        TaskKind kind = task.kind() instanceof TaskKind.Extended extended
                ? extended.inner().kind()
                : task.kind();
        DurationExpression timeout =
                kind instanceof TaskKind.Ask ask && ask.timeout() != null ? ask.timeout() : task.timeout();
        if (timeout == null) {
            return known;
        }
        Instant deadline = now().plus(
                        evaluated(() -> timeout.evaluate(scope(known, transformed, locals, Map.of())), task.pointer()));
        return known.withDeadline(deadline);
    }

    /** Passes an input to a task. */
    Outcome<Frame> resume(Task task, Frame standing, ProcessInput signal, Locals locals) {
        if (signal instanceof ProcessInput.Repair repair && repair.names(standing)) {
            return repaired(task, standing, repair, locals);
        }
        Frame frame = signal instanceof ProcessInput.Repair && isBroken() ? going(task, standing) : standing;
        if (signal instanceof ProcessInput.Tick && frame.work() instanceof Frame.Again again) {
            return isDue(again.until())
                    ? enter(task, frame.raw(), locals, frame.path(), frame.attempt() + 1, again.since())
                    : new Running<>(frame);
        }
        Outcome<Frame.Work> resumed;
        try {
            if (signal instanceof ProcessInput.Tick && isDue(frame.deadline()) && kinds.isEscalated(frame)) {
                return new Running<>(kinds.escalated(entered(task, frame, frame.input(), locals)));
            }
            if (signal instanceof ProcessInput.Tick && isDue(frame.deadline())) {
                kinds.stopWork(task, frame);
                resumed = kinds.timedOut(task, frame);
            } else {
                resumed = kinds.resume(task, frame, signal, within(task, frame, locals));
            }
        } catch (TaskFailure e) {
            resumed = new Failed<>(e.error());
        }
        if (resumed instanceof Running<Frame.Work>(Frame.Work at) && at.equals(frame.work())) {
            return new Running<>(frame);
        }
        return finish(task, frame, resumed, locals);
    }

    /** Retries or skips a task. Its path and the idempotency key of its calls stay the same. */
    private Outcome<Frame> repaired(Task task, Frame frame, ProcessInput.Repair repair, Locals locals) {
        if (!isBroken()) {
            kinds.stop(task, frame);
        }
        int attempt = frame.attempt() + 1;
        return switch (repair) {
            case ProcessInput.Retry _ -> enter(task, frame.raw(), locals, frame.path(), attempt, now());
            case ProcessInput.Skip(String _, Json output) -> {
                order++;
                Json given = output == null ? frame.input() : output;
                Frame skipped = frame.anew(order, attempt, now());
                begun(task, skipped);
                yield finish(task, skipped, new Done<>(given, Outcome.AS_IT_SAYS), locals);
            }
        };
    }

    /** Restarts the timeout of a task because a task inside it is repaired. */
    private Frame going(Task task, Frame frame) {
        Instant deadline = frame.deadline();
        Frame going = deadline == null
                ? frame
                : frame.withDeadline(now().plus(Duration.between(frame.startedAt(), deadline)));
        changed(task, going, Phase.RUNNING, Values.NULL, null);
        return going;
    }

    private Outcome<Frame> finish(Task task, Frame frame, Outcome<Frame.Work> outcome, Locals locals) {
        if (!(outcome instanceof Running) && kinds.phase(frame.work()) == Phase.WAITING) {
            changed(task, frame, Phase.RUNNING, Values.NULL, null); // what it waited for is there
        }
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work at) -> {
                Phase phase = kinds.phase(at);
                Frame now = frame.withWork(at);
                if (phase != kinds.phase(frame.work())) {
                    changed(task, now, phase, Values.NULL, null);
                }
                yield new Running<>(now);
            }
            case Failed<Frame.Work> failed -> failed(task, frame, failed, locals);
            case Done<Frame.Work>(Json output, String then) -> {
                try {
                    Json transformed = transformed(task.output(), output, frame, locals, task.pointer());
                    export(task.export(), task, frame, transformed, locals);
                    changed(task, frame, Phase.COMPLETED, transformed, null);
                    yield new Done<>(transformed, then.equals(Outcome.AS_IT_SAYS) ? task.then() : then);
                } catch (TaskFailure e) {
                    yield failed(task, frame, new Failed<>(e.error()), locals);
                }
            }
        };
    }

    private Outcome<Frame> failed(Task task, Frame frame, Failed<Frame.Work> failed, Locals locals) {
        WorkflowError error = failed.error();
        changed(task, frame, Phase.FAULTED, Values.NULL, error);
        Frame broken = frame.withWork(failed.at() == null ? new Frame.Broken(error) : failed.at());
        if (task.retry() == null) {
            return new Failed<>(error, broken);
        }
        Optional<Instant> again;
        try {
            int retry = frame.attempt() - locals.firstAttempt(task.retry()) + 1;
            again = kinds.retryAt(task.retry(), retry, frame.since(), error, task, frame, locals);
        } catch (TaskFailure e) {
            return new Failed<>(e.error(), broken);
        }
        return again.isEmpty() ? new Failed<>(error, broken) : new Running<>(frame.waiting(again.get(), error));
    }

    // ---- data

    private Json transformed(DataFlow data, Json output, @Nullable Frame frame, Locals locals, String pointer) {
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

    /** The transformed output of an event's tasks, after exporting to the context. */
    Json ofEvent(TaskKind.Foreach foreach, Task task, Frame frame, Json output, Locals locals) {
        Json transformed = transformed(foreach.output(), output, frame, locals, task.pointer());
        export(foreach.export(), task, frame, transformed, locals);
        return transformed;
    }

    private void export(DataFlow data, Task task, Frame frame, Json output, Locals locals) {
        if (data.transform() == null) {
            return;
        }
        Template transform = data.transform();
        Map<String, Supplier<Json>> known = Map.of("output", () -> output);
        Json exported = evaluated(
                () -> transform.evaluate(
                        workflow.looksAtContext()
                                ? new Scope(shared(locals).with("output", output), Map.of())
                                : scope(frame, output, locals, known)),
                task.pointer());
        Json changed = exported;
        if (workflow.looksAtContext()) {
            changed = context;
            for (var member : exported.map().entrySet()) {
                changed = changed.with(member.getKey(), member.getValue());
            }
        }
        if (data.schema() != null) {
            check(data.schema().errors(changed), "the context", task.pointer());
        }
        bounded(changed, "the context", task.pointer());
        context = changed;
        events.add(new ProcessEvent.ContextChanged(context));
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

    Json evaluate(Expression expression, Task task, Frame frame, Json data, Locals locals) {
        return evaluated(() -> expression.evaluate(scope(frame, data, locals, Map.of())), task.pointer());
    }

    Json evaluate(Template template, Task task, Frame frame, Json data, Locals locals) {
        return evaluated(() -> template.evaluate(scope(frame, data, locals, Map.of())), task.pointer());
    }

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
        variables.put("input", () -> frame == null ? input : frame.input());
        variables.put("now", () -> seconds(now()));
        variables.put("workflow", this::described);
        variables.put(
                "runtime", () -> Json.of("name", Json.of("parley")).with("version", Json.of(surroundings.version())));
        if (frame != null) {
            variables.put("task", () -> described(frame, more));
        }
        locals.variables().forEach((name, value) -> variables.put(name, () -> value));
        variables.putAll(more);
        return new Scope(data, variables);
    }

    /** Data of Light-Fabric's expressions: the context, with the local variables. */
    Json shared(Locals locals) {
        Json shared = context;
        for (var local : locals.variables().entrySet()) {
            shared = shared.with(local.getKey(), local.getValue());
        }
        return shared;
    }

    private Json described() {
        return Json.of("id", Json.of(before.id()))
                .with("definition", workflow.source())
                .with("input", before.rawInput())
                .with("startedAt", time(before.startedAt()));
    }

    /** The variable {@code $task}: a task with the members of its definition. */
    private Json described(Frame frame, Map<String, Supplier<Json>> more) {
        Json definition = JsonPointer.at(workflow.source(), frame.pointer());
        return definition
                .with("definition", definition)
                .with("name", Json.of(JsonPointer.name(frame.pointer())))
                .with("reference", Json.of(frame.pointer()))
                .with("input", frame.raw())
                .with("output", more.getOrDefault("output", () -> Values.NULL).get())
                .with("startedAt", time(frame.startedAt()));
    }

    private static Json time(Instant at) {
        return Json.of("iso8601", Json.of(at.toString()))
                .with(
                        "epoch",
                        Json.of("seconds", Json.of(at.getEpochSecond()))
                                .with("milliseconds", Json.of(at.toEpochMilli())));
    }

    private static Json seconds(Instant at) {
        return Json.of(at.getEpochSecond());
    }

    /** Maps the progress of an outcome. */
    static <A, B> Outcome<B> at(Outcome<A> outcome, Function<A, B> map) {
        return switch (outcome) {
            case Running<A>(A at) -> new Running<>(map.apply(at));
            case Done<A>(Json output, String then) -> new Done<>(output, then);
            case Failed<A>(WorkflowError error, A at) -> new Failed<>(error, at == null ? null : map.apply(at));
        };
    }

    /** An object of these members, in this order. */
    static Json.Obj object(Object... members) {
        var all = new LinkedHashMap<String, Json>();
        for (int i = 0; i < members.length; i += 2) {
            all.put((String) members[i], (Json) members[i + 1]);
        }
        return Json.of(all);
    }
}
