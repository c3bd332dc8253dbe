package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Task;
import dev.parley.workflows.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Result of a step: running, done or failed.
 *
 * @param <T> the progress if it is running
 */
sealed interface StepOutcome<T> {
    /** Value of {@code then} that leaves the next step to the task. */
    String THEN_OF_TASK = "";

    /** Still running. */
    record Running<T>(T progress) implements StepOutcome<T> {}

    /**
     * Completed.
     *
     * @param then the next step, or {@link #THEN_OF_TASK}
     */
    record Done<T>(Json output, String then) implements StepOutcome<T> {
        Done(Json output) {
            this(output, THEN_OF_TASK);
        }

        /** Whether the outcome ends the workflow. */
        boolean ends() {
            return then.equals(Task.END);
        }

        /** Whether the outcome leaves the list of tasks. */
        boolean leaves() {
            return ends() || then.equals(Task.EXIT);
        }
    }

    /**
     * Failed.
     *
     * @param progress from which a repair continues; null if it starts over
     */
    record Failed<T>(WorkflowError error, @Nullable T progress) implements StepOutcome<T> {
        Failed(WorkflowError error) {
            this(error, null);
        }
    }

    /** This outcome with its progress mapped. */
    default <B> StepOutcome<B> map(Function<T, B> map) {
        return switch (this) {
            case Running<T>(T progress) -> new Running<>(map.apply(progress));
            case Done<T>(Json output, String then) -> new Done<>(output, then);
            case Failed<T>(WorkflowError error, T progress) ->
                new Failed<>(error, progress == null ? null : map.apply(progress));
        };
    }

    /** The outcome of a task from that of its list of tasks: only {@code end} propagates outwards. */
    default StepOutcome<T> ofList() {
        return this instanceof Done<T> done && !done.ends() ? new Done<>(done.output()) : this;
    }
}
