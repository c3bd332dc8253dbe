package dev.parley.workflows.engine;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import org.jspecify.annotations.Nullable;

/** An input of the process machine: a start, a result, an answer, an event, a tick, a control command. */
public sealed interface ProcessInput {
    /**
     * Starts the process.
     *
     * @param from the first task, with its data; null for the first of the definition
     */
    record Start(String id, Json input, @Nullable From from) implements ProcessInput {
        public Start(String id, Json input) {
            this(id, input, null);
        }
    }

    /** A task of the outermost list, its input, and the context. */
    record From(String task, Json input, Json context) {
        /** Reads {@code {"task": …, "input": …, "context": …}}. */
        public static From of(Json json) {
            return new From(json.get("task").display(), json.get("input"), json.get("context"));
        }
    }

    /**
     * The result of a call.
     *
     * @param error null if it succeeded
     */
    record Result(String key, Json output, @Nullable WorkflowError error) implements ProcessInput {}

    /**
     * A person's answer.
     *
     * @param order of the task
     * @param error set if there will be no answer
     */
    record Answer(long order, Json value, @Nullable WorkflowError error) implements ProcessInput {
        public Answer(long order, Json value) {
            this(order, value, null);
        }
    }

    /** A CloudEvent. */
    record Event(Json event) implements ProcessInput {}

    /** A timer fired, or the process continues after yielding. */
    record Tick() implements ProcessInput {}

    record Cancel(String reason) implements ProcessInput {}

    /** An input could not be decided: the process ends as faulted, whatever catches errors. */
    record Fault(String detail) implements ProcessInput {}

    /** Starts no further tasks until {@link Resume}. */
    record Suspend() implements ProcessInput {}

    record Resume() implements ProcessInput {}

    /** A repair by a person. */
    sealed interface Repair extends ProcessInput {
        /** Name of a running or failed task; null for the first failed task. */
        @Nullable
        String task();

        /** Whether the repair refers to this task. */
        default boolean names(Frame frame) {
            return task() == null
                    ? frame.work() instanceof Frame.Broken
                    : JsonPointer.name(frame.pointer()).equals(task());
        }
    }

    /** Restarts a task. */
    record Retry(@Nullable String task) implements Repair {}

    /**
     * Completes a task with this output.
     *
     * @param output null for its input
     */
    record Skip(@Nullable String task, @Nullable Json output) implements Repair {}
}
