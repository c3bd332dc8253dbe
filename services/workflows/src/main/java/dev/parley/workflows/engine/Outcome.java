package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;

/** How far something came. @param <T> what it is at, where it goes on */
sealed interface Outcome<T> {
    /** It waits. */
    record Running<T>(T at) implements Outcome<T> {}

    /** It gave this. @param then where to go on; {@code continue} leaves it to the task */
    record Done<T>(Json output, String then) implements Outcome<T> {}

    record Failed<T>(WorkflowError error) implements Outcome<T> {}
}
