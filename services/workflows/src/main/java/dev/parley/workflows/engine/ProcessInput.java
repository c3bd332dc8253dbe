package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import org.jspecify.annotations.Nullable;

/** What happens to a process. */
public sealed interface ProcessInput {
    /** It is to begin. */
    record Start(String id, Json input) implements ProcessInput {}

    /** A call gave this. @param error null where it succeeded */
    record Result(String key, Json output, @Nullable WorkflowError error) implements ProcessInput {}

    /** A person answered. @param order of the task @param error null unless nobody will answer */
    record Answer(long order, Json value, @Nullable WorkflowError error) implements ProcessInput {
        public Answer(long order, Json value) {
            this(order, value, null);
        }
    }

    /** An event came, as CloudEvents has it. */
    record Event(Json event) implements ProcessInput {}

    /** Time passed, or it is its turn again. */
    record Tick() implements ProcessInput {}

    record Cancel(String reason) implements ProcessInput {}

    /** Nothing new is to begin. */
    record Suspend() implements ProcessInput {}

    record Resume() implements ProcessInput {}
}
