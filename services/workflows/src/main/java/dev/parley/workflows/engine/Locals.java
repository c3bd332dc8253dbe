package dev.parley.workflows.engine;

import dev.parley.workflows.definition.RetryPolicy;
import dev.parley.workflows.json.Json;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Local scope of a task.
 *
 * @param variables of loops and handlers
 * @param round number of earlier tries of the enclosing tasks, counted so that no two tries have the same number
 */
record Locals(Map<String, Json> variables, int round) {
    static final Locals NONE = new Locals(Map.of(), 0);
    private static final int UNLIMITED = 1_000;

    Locals with(String name, Json value) {
        var extended = new HashMap<>(variables);
        extended.put(name, value);
        return new Locals(extended, round);
    }

    /**
     * The scope inside of a try.
     *
     * @param time number of the try, from 0
     */
    Locals trying(@Nullable RetryPolicy policy, int time) {
        return new Locals(variables, round * tries(policy) + time);
    }

    /** The number of the first attempt of a task in this scope, from 1. */
    int firstAttempt(@Nullable RetryPolicy policy) {
        return 1 + round * tries(policy);
    }

    private static int tries(@Nullable RetryPolicy policy) {
        return policy == null ? 1 : 1 + (policy.attempts() == 0 ? UNLIMITED : policy.attempts());
    }
}
