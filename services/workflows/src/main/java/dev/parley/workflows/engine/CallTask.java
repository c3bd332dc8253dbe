package dev.parley.workflows.engine;

import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.json.Json;
import java.time.Duration;
import java.util.List;

/** Behaviour of tasks that call something outside: a function, a workflow or a process of the operating system. */
record CallTask(TaskRun run) {
    StepOutcome<Frame.Work> begin(TaskKind.Call call) {
        return call(call, 0);
    }

    StepOutcome<Frame.Work> begin(TaskKind.RunWorkflow child) {
        return start("workflow", run.evaluate(child.workflow()), child.await());
    }

    StepOutcome<Frame.Work> begin(TaskKind.RunProcess process) {
        Json arguments = run.evaluate(process.with()).with("return", Json.of(process.result()));
        return start(process.process(), arguments, process.await());
    }

    /** @param tried number of earlier calls whose output was invalid */
    private StepOutcome<Frame.Work> call(TaskKind.Call call, int tried) {
        Json with = run.evaluate(call.with());
        if (call.function().equals("http")) {
            Json endpoint = UriTemplate.expand(
                    with.get("endpoint"), run.data(), run.task().pointer());
            with = with.with("endpoint", endpoint);
        }
        return call(call.function(), with, tried);
    }

    private StepOutcome<Frame.Work> call(String function, Json arguments, int tried) {
        String key = key(tried == 0 ? "" : ":" + tried);
        request(key, function, arguments);
        return new Running<>(new Frame.Calling(key, tried));
    }

    /** @param await false to continue at once with the input */
    private StepOutcome<Frame.Work> start(String function, Json arguments, boolean await) {
        StepOutcome<Frame.Work> started = call(function, arguments, 0);
        return await ? started : new Done<>(run.input());
    }

    /**
     * The key of a call of this run.
     *
     * @param suffix distinguishes its calls
     */
    String key(String suffix) {
        return run.draft().id() + ":" + run.frame().order() + suffix;
    }

    /**
     * Requests a call.
     *
     * @param key identifies its result
     */
    void request(String key, String function, Json arguments) {
        Frame frame = run.frame();
        ProcessDraft draft = run.draft();
        draft.effect(new ProcessEffect.Call(
                key,
                frame.order(),
                run.task().name(),
                function,
                arguments,
                idempotencyKey(),
                frame.deadline() == null ? null : Duration.between(draft.now(), frame.deadline())));
    }

    /** The idempotency key of the call, equal in all attempts. */
    private String idempotencyKey() {
        return run.task().idempotencyKey() == null
                ? run.draft().id() + ":" + run.frame().path()
                : run.evaluate(run.task().idempotencyKey(), run.input()).display();
    }

    StepOutcome<Frame.Work> resume(Frame.Calling calling, ProcessInput.Result result) {
        if (!result.key().equals(calling.key())) {
            return new Running<>(calling);
        }
        if (result.error() != null) {
            return new Failed<>(result.error().at(run.task().pointer()));
        }
        return run.task().kind() instanceof TaskKind.Call call && call.outputSchema() != null
                ? onOutputChecked(
                        call, calling, result.output(), call.outputSchema().errors(result.output()))
                : new Done<>(result.output());
    }

    /** The outcome of a call whose output must match a schema: an invalid one is called again, routed or fails. */
    private StepOutcome<Frame.Work> onOutputChecked(
            TaskKind.Call call, Frame.Calling calling, Json output, List<String> errors) {
        if (errors.isEmpty()) {
            return new Done<>(output);
        }
        if (calling.tried() < call.invalidOutputRetries()) {
            return call(call, calling.tried() + 1);
        }
        if (call.onInvalidOutput() != null) {
            return new Done<>(output, call.onInvalidOutput());
        }
        ProcessDataFlow.check(errors, "the answer", run.task().pointer());
        return new Done<>(output);
    }
}
