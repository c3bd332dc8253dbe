package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Block;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Failed;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A task with extensions. Extension tasks change neither its input nor its output, unless one before it exits. */
record ExtendedTask(Draft draft, TaskKinds kinds, TaskKind.Extended kind, Task task, Frame frame, Locals locals) {
    Outcome<Frame.Work> begin() {
        return from(0, null);
    }

    /** Goes through the stages from this one on. */
    private Outcome<Frame.Work> from(int first, @Nullable Json given) {
        Json output = given;
        for (int stage = first; stage < stages(kind); stage++) {
            Block block = block(kind, stage);
            boolean inner = stage == kind.extensions().size();
            if (!inner && (block == null || !holds(stage))) {
                continue;
            }
            Outcome<Frame.Work> outcome = inner
                    ? kinds.begin(kind.inner(), frame, locals)
                    : draft.block(Objects.requireNonNull(block), data(output), locals, path(stage));
            if (!(outcome instanceof Done<Frame.Work> done) || ends(stage, done)) {
                return at(stage, output, outcome);
            }
            output = inner ? done.output() : output;
        }
        return new Done<>(data(output), Outcome.AS_IT_SAYS);
    }

    Outcome<Frame.Work> resume(Frame.Extending at, ProcessInput signal) {
        int stage = at.stage();
        boolean inner = stage == kind.extensions().size();
        Outcome<Frame.Work> outcome = inner
                ? kinds.resume(kind.inner(), frame.withWork(at.body()), signal, locals)
                : draft.resume(Objects.requireNonNull(block(kind, stage)), at.body(), signal, locals, path(stage));
        if (!(outcome instanceof Done<Frame.Work> done) || ends(stage, done)) {
            return at(stage, at.output(), outcome);
        }
        return from(stage + 1, inner ? done.output() : at.output());
    }

    /** Tasks before that exit stand for the task; the end of the workflow, and where the task itself goes on, end all. */
    private boolean ends(int stage, Done<Frame.Work> done) {
        boolean before = stage < kind.extensions().size();
        boolean inner = stage == kind.extensions().size();
        return done.then().equals(Task.END)
                || before && done.then().equals(Task.EXIT)
                || inner && !done.then().equals(Outcome.AS_IT_SAYS);
    }

    private Outcome<Frame.Work> at(int stage, @Nullable Json output, Outcome<Frame.Work> outcome) {
        return switch (outcome) {
            case Running<Frame.Work> _, Failed<Frame.Work> _ ->
                Draft.at(outcome, body -> new Frame.Extending(stage, body, output));
            case Done<Frame.Work>(Json last, String then) ->
                new Done<>(
                        last,
                        then.equals(Task.EXIT) && stage < kind.extensions().size() ? Outcome.AS_IT_SAYS : then);
        };
    }

    private Json data(@Nullable Json output) {
        return output == null ? frame.input() : output;
    }

    private boolean holds(int stage) {
        TaskKind.Extension extension = extension(kind, stage);
        return extension.when() == null
                || draft.evaluate(extension.when(), task, frame, frame.input(), locals)
                        .isTruthy();
    }

    private String path(int stage) {
        boolean before = stage < kind.extensions().size();
        return frame.path() + "/" + extension(kind, stage).name() + (before ? "/before" : "/after");
    }

    // ---- stages: before, the task, after

    private static int stages(TaskKind.Extended kind) {
        return 2 * kind.extensions().size() + 1;
    }

    private static TaskKind.Extension extension(TaskKind.Extended kind, int stage) {
        List<TaskKind.Extension> extensions = kind.extensions();
        return extensions.get(stage < extensions.size() ? stage : stage - extensions.size() - 1);
    }

    private static @Nullable Block block(TaskKind.Extended kind, int stage) {
        int count = kind.extensions().size();
        return stage == count
                ? null
                : stage < count
                        ? extension(kind, stage).before()
                        : extension(kind, stage).after();
    }

    /** Stops what such a task is at. */
    static void stop(TaskKinds kinds, TaskKind.Extended kind, Frame frame, Frame.Extending at) {
        Block block = block(kind, at.stage());
        if (block == null) {
            kinds.stopWork(kind.inner(), frame.withWork(at.body()));
        } else {
            kinds.stop(at.body(), block);
        }
    }
}
