package dev.parley.workflows.engine;

import dev.parley.workflows.definition.TaskBlock;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Behaviour of a task with extensions, in stages: the tasks before, the task, the tasks after. Extension tasks change
 * neither its input nor its output, unless one before it exits.
 */
record ExtendedTask(TaskRun run, TaskKind.Extended kind) {
    StepOutcome<Frame.Work> begin() {
        return from(0, null);
    }

    /**
     * Runs the stages from this one on.
     *
     * @param taskOutput output of the task; null before it has completed
     */
    private StepOutcome<Frame.Work> from(int first, @Nullable Json taskOutput) {
        Json output = taskOutput;
        for (int stage = first; stage <= lastStage(); stage++) {
            if (isSkipped(stage)) {
                continue;
            }
            StepOutcome<Frame.Work> outcome = begin(stage, output);
            if (!(outcome instanceof Done<Frame.Work> done) || isDecisive(stage, done)) {
                return at(stage, output, outcome);
            }
            output = isTask(stage) ? done.output() : output;
        }
        return new Done<>(data(output));
    }

    private StepOutcome<Frame.Work> begin(int stage, @Nullable Json output) {
        TaskBlock block = block(kind, stage);
        return block == null
                ? TaskKinds.begin(run.with(kind.inner()))
                : run.draft().block(block, data(output), run.locals(), path(stage));
    }

    StepOutcome<Frame.Work> resume(Frame.Extending progress, ProcessInput input) {
        int stage = progress.stage();
        TaskBlock block = block(kind, stage);
        StepOutcome<Frame.Work> outcome = block == null
                ? TaskKinds.resume(run.with(kind.inner()).with(run.frame().withWork(progress.body())), input)
                : run.draft().resume(block, progress.body(), input, run.locals(), path(stage));
        if (!(outcome instanceof Done<Frame.Work> done) || isDecisive(stage, done)) {
            return at(stage, progress.output(), outcome);
        }
        return from(stage + 1, isTask(stage) ? done.output() : progress.output());
    }

    /**
     * Whether a stage ends the task: by the end of the workflow, an exit before the task, or its own next step.
     */
    private boolean isDecisive(int stage, Done<Frame.Work> done) {
        return isTask(stage)
                ? !done.then().equals(StepOutcome.THEN_OF_TASK)
                : done.ends() || isBefore(stage) && done.leaves();
    }

    private StepOutcome<Frame.Work> at(int stage, @Nullable Json output, StepOutcome<Frame.Work> outcome) {
        return outcome instanceof Done<Frame.Work> done && isBefore(stage)
                ? done.ofList()
                : outcome.map(body -> new Frame.Extending(stage, body, output));
    }

    private Json data(@Nullable Json output) {
        return output == null ? run.input() : output;
    }

    private boolean isSkipped(int stage) {
        if (isTask(stage)) {
            return false;
        }
        TaskKind.Extension extension = extension(kind, stage);
        return block(kind, stage) == null || extension.when() != null && !run.isTrue(extension.when());
    }

    private String path(int stage) {
        return run.frame().path() + "/" + extension(kind, stage).name() + (isBefore(stage) ? "/before" : "/after");
    }

    private boolean isBefore(int stage) {
        return stage < kind.extensions().size();
    }

    private boolean isTask(int stage) {
        return stage == kind.extensions().size();
    }

    private int lastStage() {
        return 2 * kind.extensions().size();
    }

    private static TaskKind.Extension extension(TaskKind.Extended kind, int stage) {
        List<TaskKind.Extension> extensions = kind.extensions();
        return extensions.get(stage < extensions.size() ? stage : stage - extensions.size() - 1);
    }

    /** The tasks of a stage; null for the task itself, and for an extension without tasks there. */
    static @Nullable TaskBlock block(TaskKind.Extended kind, int stage) {
        int count = kind.extensions().size();
        if (stage == count) {
            return null;
        }
        TaskKind.Extension extension = extension(kind, stage);
        return stage < count ? extension.before() : extension.after();
    }
}
