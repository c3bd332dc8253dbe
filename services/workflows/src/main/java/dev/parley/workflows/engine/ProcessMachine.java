package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Workflow;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonPointer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * State machine of a workflow process.
 *
 * <pre>
 *   start ──► RUNNING ◄──► WAITING      for a person, an event, a time
 *                │  ▲
 *                │  └──► SUSPENDED      by a person, until it is resumed
 *                ▼
 *   COMPLETED | FAULTED | CANCELLED     a person can repair a faulted process
 * </pre>
 *
 * Local tasks run to completion, at most {@value ProcessDraft#MAX_STEPS} in one decision; then the process yields to others.
 */
public final class ProcessMachine {
    private ProcessMachine() {}

    /**
     * Starts a process.
     *
     * @throws InvalidInputException if the input does not match the definition, or the task to start from does not
     *     exist; no process is created
     */
    public static ProcessDecision start(Workflow workflow, ProcessInput.Start start, EngineContext engine) {
        return new ProcessDraft(
                        workflow,
                        ProcessState.fresh(start.id(), workflow.reference(), start.input(), engine.now()),
                        engine)
                .start(start.from());
    }

    /**
     * Decides on an input. Inputs of an ended process are ignored, except the repair of a faulted one; so is a
     * {@link ProcessInput.Repair} of a task that does not run.
     */
    public static ProcessDecision decide(
            Workflow workflow, ProcessState state, ProcessInput input, EngineContext engine) {
        return new ProcessDraft(workflow, state, engine).decide(input);
    }

    /** Due time of the next {@link ProcessInput.Tick}, or empty if no timer is set. */
    public static Optional<Instant> nextDue(ProcessState state) {
        if (state.phase().isFinal()) {
            return Optional.empty();
        }
        return Stream.concat(Stream.ofNullable(state.deadline()), dues(state.body()))
                .min(Instant::compareTo);
    }

    private static Stream<Instant> dues(Frame frame) {
        return Stream.concat(Stream.ofNullable(frame.deadline()), dues(frame.work()));
    }

    private static Stream<Instant> dues(Frame.@Nullable Work work) {
        Stream<Instant> ownDues = switch (work) {
            case Frame.Sleeping(Instant until) -> Stream.of(until);
            case Frame.Again again -> Stream.of(again.until());
            case Frame.Retrying retrying -> Stream.of(retrying.until());
            case Frame.Trying trying -> Stream.ofNullable(trying.until());
            case Frame.Subscribing subscribing -> Stream.ofNullable(subscribing.until());
            case Frame.Extending extending -> dues(extending.body());
            case null, default -> Stream.empty();
        };
        boolean isComplete = work instanceof Frame.Extending; // already has the dues of the inner tasks
        return isComplete ? ownDues : Stream.concat(ownDues, Frame.tasks(work).flatMap(ProcessMachine::dues));
    }

    /**
     * Whether a task can be retried or skipped.
     *
     * @param task its name; null for the failed task
     */
    public static boolean canRepair(ProcessState state, @Nullable String task) {
        return Frame.all(state.body()).anyMatch(new ProcessInput.Retry(task)::names);
    }

    /** Names of the running tasks, outer ones first. */
    public static List<String> underWay(ProcessState state) {
        return Frame.all(state.body())
                .map(task -> JsonPointer.name(task.pointer()))
                .distinct()
                .toList();
    }

    /** One-line description of what a process waits for. */
    public static String next(Workflow workflow, ProcessState state) {
        Optional<Frame> broken = Frame.all(state.body())
                .filter(task -> task.work() instanceof Frame.Broken)
                .findFirst();
        if (broken.isPresent()) {
            return "a person who retries or skips '"
                    + JsonPointer.name(broken.get().pointer()) + "', which has failed";
        }
        if (state.phase().isFinal()) {
            return "nothing: it has ended";
        }
        if (state.suspended()) {
            return "a person who resumes it";
        }
        return WaitDescription.of(workflow, state);
    }

    /** The input of a process does not match its definition. */
    public static final class InvalidInputException extends RuntimeException {
        InvalidInputException(String message) {
            super(message);
        }
    }

    /** A value for a message, truncated. */
    static String brief(Json value) {
        String text = value.display();
        return text.length() > 80 ? text.substring(0, 77) + "..." : text;
    }
}
