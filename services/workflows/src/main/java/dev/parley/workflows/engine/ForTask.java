package dev.parley.workflows.engine;

import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.json.Json;
import java.util.List;

/** Behaviour of a {@code for} task: runs its tasks for each item of a list, one after another. */
record ForTask(TaskRun run, TaskKind.For loop) {
    StepOutcome<Frame.Work> begin() {
        Json in = run.evaluate(loop.in(), run.input());
        if (!(in instanceof Json.Arr(List<Json> items))) {
            throw new TaskFailure(run.error(Standard.EXPRESSION, "'for.in' is a list, not " + in.type()));
        }
        return iterate(items, 0, run.input());
    }

    StepOutcome<Frame.Work> resume(Frame.Looping progress, ProcessInput input) {
        StepOutcome<Frame.Work> outcome = run.draft()
                .resume(
                        loop.body(),
                        progress.body(),
                        input,
                        iteration(progress.items(), progress.index()),
                        path(progress.index()));
        return outcome instanceof Done<Frame.Work> done && !done.ends()
                ? iterate(progress.items(), progress.index() + 1, done.output())
                : outcome.map(body -> new Frame.Looping(progress.items(), progress.index(), body));
    }

    /**
     * Runs the iterations from this index on.
     *
     * @param data output of the iteration before
     */
    private StepOutcome<Frame.Work> iterate(List<Json> items, int from, Json data) {
        Json output = data;
        for (int index = from; index < items.size(); index++) {
            int current = index;
            Locals inner = iteration(items, index);
            if (loop.condition() != null && !run.with(inner).isTrue(loop.condition(), output)) {
                break;
            }
            StepOutcome<Frame.Work> outcome = run.draft().block(loop.body(), output, inner, path(index));
            if (!(outcome instanceof Done<Frame.Work> done) || done.ends()) {
                return outcome.map(body -> new Frame.Looping(items, current, body));
            }
            output = done.output();
        }
        return new Done<>(output);
    }

    private Locals iteration(List<Json> items, int index) {
        return run.locals().with(loop.each(), items.get(index)).with(loop.at(), Json.of(index));
    }

    private String path(int index) {
        return run.frame().path() + "#" + index + "/do";
    }
}
