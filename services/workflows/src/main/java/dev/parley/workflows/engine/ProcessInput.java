package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import org.jspecify.annotations.Nullable;

/** An input of the process machine: a start, a result, an answer, an event, a tick, a control command. */
public sealed interface ProcessInput {
    /** It is to begin. @param from where, null for the first task */
    record Start(String id, Json input, @Nullable From from) implements ProcessInput {
        public Start(String id, Json input) {
            this(id, input, null);
        }
    }

    /** A task of the outermost list, what it gets, and the context. */
    record From(String task, Json input, Json context) {}

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

    /** A person repairs a process. */
    sealed interface Repair extends ProcessInput {
        /** Name of a task that is under way, or has failed; null for the one that has failed first. */
        @Nullable
        String task();

        /** Whether it is about this task. */
        default boolean names(Frame frame) {
            return task() == null
                    ? frame.work() instanceof Frame.Broken
                    : JsonPointer.name(frame.pointer()).equals(task());
        }
    }

    /** What has failed is to begin again. */
    record Retry(@Nullable String task) implements Repair {}

    /** A task is to end as if it had given this. @param output null for its input */
    record Skip(@Nullable String task, @Nullable Json output) implements Repair {}
}
