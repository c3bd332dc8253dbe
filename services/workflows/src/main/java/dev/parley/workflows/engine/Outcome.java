package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import org.jspecify.annotations.Nullable;

/** Result of a step: running, done or failed. @param <T> the progress if it is running */
sealed interface Outcome<T> {
    /** It waits. */
    record Running<T>(T at) implements Outcome<T> {}

    /** Where to go on, where nothing but the task itself says so. */
    String AS_IT_SAYS = "";

    /** It gave this. @param then where to go on, or {@link #AS_IT_SAYS} */
    record Done<T>(Json output, String then) implements Outcome<T> {}

    /**
     * It cannot go on.
     *
     * @param at where a person may let it go on; null where that is from its beginning only
     */
    record Failed<T>(WorkflowError error, @Nullable T at) implements Outcome<T> {
        Failed(WorkflowError error) {
            this(error, null);
        }
    }
}
