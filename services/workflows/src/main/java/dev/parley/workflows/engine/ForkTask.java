package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Behaviour of a {@code fork} task: runs branches in parallel; the first one that ends the workflow, wins or fails
 * decides.
 */
record ForkTask(TaskRun run, TaskKind.Fork fork) {
    StepOutcome<Frame.Work> begin() {
        var branches = new ArrayList<Frame.Branch>();
        for (int i = 0; i < fork.branches().size(); i++) {
            Task branch = fork.branches().get(i);
            String path = JsonPointer.child(run.frame().path() + "/fork/branches/" + i, branch.name());
            StepOutcome<Frame> outcome = run.draft().enter(branch, run.input(), run.locals(), path);
            branches.add(branch(outcome));
            Optional<StepOutcome<Frame.Work>> decided = onBranchOutcome(branches, outcome);
            if (decided.isPresent()) {
                return decided.get();
            }
        }
        return join(branches);
    }

    StepOutcome<Frame.Work> resume(Frame.Forking progress, ProcessInput input) {
        var branches = new ArrayList<>(progress.branches());
        for (int i = 0; i < branches.size(); i++) {
            Frame running = branches.get(i).running();
            if (running == null) {
                continue;
            }
            StepOutcome<Frame> outcome =
                    run.with(fork.branches().get(i)).with(running).resume(input);
            branches.set(i, branch(outcome));
            Optional<StepOutcome<Frame.Work>> decided = onBranchOutcome(branches, outcome);
            if (decided.isPresent()) {
                return decided.get();
            }
        }
        return join(branches);
    }

    private static Frame.Branch branch(StepOutcome<Frame> outcome) {
        return switch (outcome) {
            case Running<Frame>(Frame running) -> new Frame.Branch(running, null, null);
            case Done<Frame> done -> new Frame.Branch(null, done.output(), null);
            case Failed<Frame> failed -> new Frame.Branch(null, null, failed.error());
        };
    }

    /** The outcome of the fork if that of a branch decides it; cancels the other branches. */
    private Optional<StepOutcome<Frame.Work>> onBranchOutcome(List<Frame.Branch> branches, StepOutcome<Frame> outcome) {
        StepOutcome<Frame.Work> decided = switch (outcome) {
            case Running<Frame> _ -> null;
            case Done<Frame> done when done.ends() -> new Done<>(done.output(), done.then());
            case Done<Frame> done -> fork.compete() ? new Done<>(done.output()) : null;
            case Failed<Frame> failed -> fork.compete() ? null : new Failed<>(failed.error());
        };
        if (decided != null) {
            new TaskCancellation(run.draft()).cancelBranches(fork, branches);
        }
        return Optional.ofNullable(decided);
    }

    private StepOutcome<Frame.Work> join(List<Frame.Branch> branches) {
        if (branches.stream().anyMatch(branch -> branch.running() != null)) {
            return new Running<>(new Frame.Forking(branches));
        }
        if (fork.compete()) { // all have failed
            return new Failed<>(Objects.requireNonNull(branches.getFirst().error()));
        }
        var outputs = new ArrayList<Json>();
        branches.forEach(branch -> outputs.add(Objects.requireNonNull(branch.output())));
        return new Done<>(Json.of(outputs));
    }
}
