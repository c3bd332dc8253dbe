package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import org.jspecify.annotations.Nullable;

/** Result of a step: running, done or failed. @param <T> the progress if it is running */
sealed interface Outcome<T> {
    /** Still running. */
    record Running<T>(T at) implements Outcome<T> {}

    /** Value of {@code then} that leaves the next step to the task. */
    String AS_IT_SAYS = "";

    /** Completed. @param then the next step, or {@link #AS_IT_SAYS} */
    record Done<T>(Json output, String then) implements Outcome<T> {}

    /**
     * Failed.
     *
     * @param at where a person may let it go on; null where that is from its beginning only
     */
    record Failed<T>(WorkflowError error, @Nullable T at) implements Outcome<T> {
        Failed(WorkflowError error) {
            this(error, null);
        }
    }
}
