package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.definition.DataFlow;
import dev.parley.workflows.definition.DurationExpression;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.expression.Scope;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A run of a task in one decision: begins, resumes, repairs and finishes it, and evaluates its expressions.
 * {@link TaskKinds} has the behaviour of each kind of task.
 */
record TaskRun(ProcessDraft draft, Task task, Frame frame, Locals locals) {
    TaskRun with(Frame other) {
        return new TaskRun(draft, task, other, locals);
    }

    TaskRun with(Locals other) {
        return new TaskRun(draft, task, frame, other);
    }

    TaskRun with(Task other) {
        return new TaskRun(draft, other, frame, locals);
    }

    /** Begins the task, or skips it if its condition is false. */
    StepOutcome<Frame> begin() {
        TaskRun entered = this;
        StepOutcome<Frame.Work> outcome;
        try {
            if (task.condition() != null && !isTrue(task.condition())) {
                draft.uncountTask();
                return new Done<>(frame.raw(), Task.CONTINUE);
            }
            entered = with(frame.withInput(transformInput())).withDeadline();
            entered.recordPhase(Phase.RUNNING, Values.NULL, null, true);
            outcome = TaskKinds.begin(entered.inside());
        } catch (TaskFailure e) {
            outcome = new Failed<>(e.error());
        }
        return entered.finish(outcome);
    }

    /** The raw input, checked against the schema and transformed. */
    private Json transformInput() {
        DataFlow data = task.input();
        if (data.schema() != null) {
            ProcessDataFlow.check(data.schema().errors(frame.raw()), "the input", task.pointer());
        }
        return data.transform() == null ? frame.raw() : evaluate(data.transform());
    }

    /** This run with the deadline of a timeout that starts now. */
    private TaskRun withDeadline() {
        TaskKind kind = task.kind() instanceof TaskKind.Extended extended
                ? extended.inner().kind()
                : task.kind();
        DurationExpression timeout =
                kind instanceof TaskKind.Ask ask && ask.timeout() != null ? ask.timeout() : task.timeout();
        return timeout == null ? this : with(frame.withDeadline(draft.now().plus(duration(timeout))));
    }

    /** This run with the scope of its inner tasks, which counts its attempts. */
    private TaskRun inside() {
        return with(locals.trying(task.retry(), frame.attempt() - locals.firstAttempt(task.retry())));
    }

    /** Passes an input to the task. */
    StepOutcome<Frame> resume(ProcessInput input) {
        return switch (input) {
            case ProcessInput.Repair repair when repair.names(frame) -> repair(repair);
            case ProcessInput.Repair repair
            when draft.isBroken() -> restartTimeout().pass(repair);
            case ProcessInput.Tick _ when frame.work() instanceof Frame.Again again -> retryIfDue(again);
            case ProcessInput.Tick _ when draft.isDue(frame.deadline()) -> onTimeout();
            case ProcessInput other -> pass(other);
        };
    }

    private StepOutcome<Frame> pass(ProcessInput input) {
        StepOutcome<Frame.Work> outcome = failing(() -> TaskKinds.resume(inside(), input));
        return outcome instanceof Running<Frame.Work>(Frame.Work progress) && progress.equals(frame.work())
                ? new Running<>(frame)
                : finish(outcome);
    }

    private StepOutcome<Frame> retryIfDue(Frame.Again again) {
        return draft.isDue(again.until())
                ? draft.enter(task, frame.raw(), locals, frame.path(), frame.attempt() + 1, again.since())
                : new Running<>(frame);
    }

    private StepOutcome<Frame> onTimeout() {
        var question = new AskTask(this);
        if (question.isEscalated()) {
            try {
                return new Running<>(new AskTask(withDeadline()).escalate());
            } catch (TaskFailure e) {
                return finish(new Failed<>(e.error()));
            }
        }
        return finish(failing(() -> {
            new TaskCancellation(draft).cancelWork(task, frame);
            return question.outcomeOnTimeout()
                    .orElseGet(() -> new Failed<>(error(Standard.TIMEOUT, "'" + task.name() + "' timed out")));
        }));
    }

    /** Retries or skips the task. Its path and the idempotency key of its calls stay the same. */
    private StepOutcome<Frame> repair(ProcessInput.Repair repair) {
        if (!draft.isBroken()) {
            new TaskCancellation(draft).cancel(task, frame);
        }
        int attempt = frame.attempt() + 1;
        return switch (repair) {
            case ProcessInput.Retry _ -> draft.enter(task, frame.raw(), locals, frame.path(), attempt, draft.now());
            case ProcessInput.Skip(String _, Json output) -> {
                TaskRun skipped = with(frame.restart(draft.countTask(), attempt, draft.now()));
                skipped.recordPhase(Phase.RUNNING, Values.NULL, null, true);
                yield skipped.finish(new Done<>(output == null ? frame.input() : output));
            }
        };
    }

    /** Restarts the timeout because a task inside is repaired. */
    private TaskRun restartTimeout() {
        Instant deadline = frame.deadline();
        TaskRun restarted = deadline == null
                ? this
                : with(frame.withDeadline(draft.now().plus(Duration.between(frame.startedAt(), deadline))));
        restarted.recordPhase(Phase.RUNNING);
        return restarted;
    }

    private static StepOutcome<Frame.Work> failing(Supplier<StepOutcome<Frame.Work>> step) {
        try {
            return step.get();
        } catch (TaskFailure e) {
            return new Failed<>(e.error());
        }
    }

    private StepOutcome<Frame> finish(StepOutcome<Frame.Work> outcome) {
        if (!(outcome instanceof Running) && Frame.phase(frame.work()) == Phase.WAITING) {
            recordPhase(Phase.RUNNING); // the wait is over
        }
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work progress) -> running(progress);
            case Failed<Frame.Work> failed -> onFailed(failed);
            case Done<Frame.Work> done -> onCompleted(done);
        };
    }

    private StepOutcome<Frame> running(Frame.Work progress) {
        TaskRun updated = with(frame.withWork(progress));
        Phase phase = Frame.phase(progress);
        if (phase != Frame.phase(frame.work())) {
            updated.recordPhase(phase);
        }
        return new Running<>(updated.frame);
    }

    private StepOutcome<Frame> onCompleted(Done<Frame.Work> done) {
        try {
            Json output = draft.data().transformOutput(task.output(), done.output(), frame, locals, task.pointer());
            draft.export(task.export(), output, frame, locals, task.pointer());
            recordPhase(Phase.COMPLETED, output, null, false);
            return new Done<>(output, done.then().equals(StepOutcome.THEN_OF_TASK) ? task.then() : done.then());
        } catch (TaskFailure e) {
            return onFailed(new Failed<>(e.error()));
        }
    }

    private StepOutcome<Frame> onFailed(Failed<Frame.Work> failed) {
        WorkflowError error = failed.error();
        recordPhase(Phase.FAULTED, Values.NULL, error, false);
        Frame broken = frame.withWork(failed.progress() == null ? new Frame.Broken(error) : failed.progress());
        if (task.retry() == null) {
            return new Failed<>(error, broken);
        }
        try {
            int retry = frame.attempt() - locals.firstAttempt(task.retry()) + 1;
            Optional<Instant> next = new Retries(this, task.retry()).next(retry, frame.since(), error);
            return next.isEmpty() ? new Failed<>(error, broken) : new Running<>(frame.retryingAt(next.get(), error));
        } catch (TaskFailure e) {
            return new Failed<>(e.error(), broken);
        }
    }

    private void recordPhase(Phase phase) {
        recordPhase(phase, Values.NULL, null, false);
    }

    private void recordPhase(Phase phase, Json output, @Nullable WorkflowError error, boolean begins) {
        draft.recordChange(task, frame, phase, output, error, begins);
    }

    Json input() {
        return frame.input();
    }

    /** The value of {@code .} in the task's expressions. */
    Json data() {
        return draft.workflow().evaluatesOnContext() ? draft.data().contextWith(locals) : frame.input();
    }

    Json evaluate(Template template) {
        return evaluate(template, frame.input());
    }

    Json evaluate(Template template, Json data) {
        return evaluateOrFail(() -> template.evaluate(scope(data)));
    }

    Json evaluate(Expression expression, Json data) {
        return evaluateOrFail(() -> expression.evaluate(scope(data)));
    }

    boolean isTrue(Expression condition) {
        return isTrue(condition, frame.input());
    }

    boolean isTrue(Expression condition, Json data) {
        return evaluate(condition, data).isTruthy();
    }

    Duration duration(DurationExpression duration) {
        return evaluateOrFail(() -> duration.evaluate(scope(frame.input())));
    }

    private Scope scope(Json data) {
        return draft.data().scope(frame, data, locals, Map.of());
    }

    /** The value of an expression, whose failure fails the task. */
    <T> T evaluateOrFail(Supplier<T> value) {
        return draft.data().evaluateOrFail(value, task.pointer());
    }

    /** The transformed output of the tasks of an event, after its export to the context. */
    Json outputOfEvent(TaskKind.Foreach foreach, Json output) {
        Json transformed = draft.data().transformOutput(foreach.output(), output, frame, locals, task.pointer());
        draft.export(foreach.export(), transformed, frame, locals, task.pointer());
        return transformed;
    }

    WorkflowError error(Standard type, String detail) {
        return type.error(detail, task.pointer());
    }
}
