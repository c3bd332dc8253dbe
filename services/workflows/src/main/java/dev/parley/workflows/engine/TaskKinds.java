package dev.parley.workflows.engine;

import dev.parley.workflows.definition.DurationExpression;
import dev.parley.workflows.definition.TaskBlock;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** Behaviour of each kind of task: begin and resume. Kinds of more than a few lines have a record of their own. */
final class TaskKinds {
    private TaskKinds() {}

    static StepOutcome<Frame.Work> begin(TaskRun run) {
        return switch (run.task().kind()) {
            case TaskKind.Set set -> new Done<>(run.evaluate(set.data()));
            case TaskKind.Do(TaskBlock body) ->
                run.draft().block(body, run.input(), run.locals(), doPath(run)).ofList();
            case TaskKind.Switch(List<TaskKind.Case> cases) -> choose(cases, run);
            case TaskKind.For loop -> new ForTask(run, loop).begin();
            case TaskKind.Fork fork -> new ForkTask(run, fork).begin();
            case TaskKind.Try attempt -> new TryTask(run, attempt).begin();
            case TaskKind.Raise raise -> raise(raise, run);
            case TaskKind.Wait(DurationExpression time) ->
                new Running<>(new Frame.Sleeping(run.draft().now().plus(run.duration(time))));
            case TaskKind.Emit emit -> emit(emit, run);
            case TaskKind.Call call -> new CallTask(run).begin(call);
            case TaskKind.CallFunction call -> callFunction(call, run);
            case TaskKind.Extended extended -> new ExtendedTask(run, extended).begin();
            case TaskKind.RunWorkflow child -> new CallTask(run).begin(child);
            case TaskKind.RunProcess process -> new CallTask(run).begin(process);
            case TaskKind.Ask ask -> new AskTask(run).begin(ask);
            case TaskKind.AskRule ask ->
                new Done<>(RuleAnswer.of(run, ask, run.data()).toJson());
            case TaskKind.Assert check -> check(check, run);
            case TaskKind.Subscribe subscribe -> new Subscriber(run, subscribe).begin();
            case TaskKind.Listen listen -> new Listener(run, listen).begin();
        };
    }

    private static String doPath(TaskRun run) {
        return run.frame().path() + "/do";
    }

    private static StepOutcome<Frame.Work> choose(List<TaskKind.Case> cases, TaskRun run) {
        String then = StepOutcome.THEN_OF_TASK;
        for (TaskKind.Case choice : cases) {
            if (choice.when() == null) {
                then = choice.then();
            } else if (run.isTrue(choice.when())) {
                return new Done<>(run.input(), choice.then());
            }
        }
        return new Done<>(run.input(), then);
    }

    private static StepOutcome<Frame.Work> raise(TaskKind.Raise raise, TaskRun run) {
        Json error = run.evaluate(raise.error());
        return new Failed<>(
                WorkflowError.of(error.with("instance", Json.of(run.task().pointer()))));
    }

    private static StepOutcome<Frame.Work> check(TaskKind.Assert check, TaskRun run) {
        Json checks = run.evaluate(check.checks());
        Json value = checks.map().containsKey("value") ? checks.get("value") : run.data();
        RuleAnswer rule = check.rule() == null ? null : RuleAnswer.of(run, check.rule(), value);
        return new Done<>(Assertion.check(checks, value, rule, run.task().pointer()));
    }

    /** Publishes an event, whose id is the same when the decision is repeated. */
    private static StepOutcome<Frame.Work> emit(TaskKind.Emit emit, TaskRun run) {
        Json attributes = run.evaluate(emit.event());
        ProcessDraft draft = run.draft();
        String id = UUID.nameUUIDFromBytes((draft.id() + ":" + run.frame().order()).getBytes(StandardCharsets.UTF_8))
                .toString();
        Json defaults = Json.of("specversion", Json.of("1.0"))
                .with("id", Json.of(id))
                .with("time", Json.of(draft.now().toString()));
        Json event = ProcessDataFlow.merge(defaults, attributes.map());
        draft.effect(new ProcessEffect.Emit(event));
        return new Done<>(event);
    }

    private static StepOutcome<Frame.Work> callFunction(TaskKind.CallFunction call, TaskRun run) {
        Json with = run.evaluate(call.with());
        Json input = with.isNull() ? run.input() : with;
        String path = run.frame().path() + "/call";
        return function(run.draft().enter(call.task(), input, run.locals(), path));
    }

    private static StepOutcome<Frame.Work> function(StepOutcome<Frame> outcome) {
        return outcome.<Frame.Work>map(Frame.Function::new).ofList();
    }

    static StepOutcome<Frame.Work> resume(TaskRun run, ProcessInput input) {
        TaskKind kind = run.task().kind();
        return switch (run.frame().work()) {
            case Frame.Calling calling
            when input instanceof ProcessInput.Result result -> new CallTask(run).resume(calling, result);
            case Frame.Sleeping sleeping
            when input instanceof ProcessInput.Tick && run.draft().isDue(sleeping.until()) -> new Done<>(run.input());
            case Frame.Asking _
            when input instanceof ProcessInput.Answer answer
                    && answer.order() == run.frame().order() ->
                answer.error() == null ? new Done<>(answer.value()) : new Failed<>(answer.error());
            case Frame.Listening progress -> new Listener(run, (TaskKind.Listen) kind).resume(progress, input);
            case Frame.Subscribing progress -> new Subscriber(run, (TaskKind.Subscribe) kind).resume(progress, input);
            case Frame.Looping progress -> new ForTask(run, (TaskKind.For) kind).resume(progress, input);
            case Frame.Forking progress -> new ForkTask(run, (TaskKind.Fork) kind).resume(progress, input);
            case Frame.Trying progress -> new TryTask(run, (TaskKind.Try) kind).resume(progress, input);
            case Frame.Retrying progress -> new TryTask(run, (TaskKind.Try) kind).resume(progress, input);
            case Frame.Catching progress -> new TryTask(run, (TaskKind.Try) kind).resume(progress, input);
            case Frame.Function(Frame inner) ->
                function(run.with(((TaskKind.CallFunction) kind).task())
                        .with(inner)
                        .resume(input));
            case Frame.Extending progress -> new ExtendedTask(run, (TaskKind.Extended) kind).resume(progress, input);
            case Frame.Sequence progress -> resumeDo((TaskKind.Do) kind, progress, run, input);
            case Frame.Yielded progress -> resumeDo((TaskKind.Do) kind, progress, run, input);
            case Frame.Calling _, Frame.Sleeping _, Frame.Asking _, Frame.Again _, Frame.Broken _ ->
                new Running<>(run.frame().work());
        };
    }

    private static StepOutcome<Frame.Work> resumeDo(
            TaskKind.Do kind, Frame.Work progress, TaskRun run, ProcessInput input) {
        return run.draft()
                .resume(kind.body(), progress, input, run.locals(), doPath(run))
                .ofList();
    }
}
