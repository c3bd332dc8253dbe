package dev.parley.workflows.engine;

import dev.parley.domain.workflow.Phase;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running task.
 *
 * @param pointer its JSON pointer in the definition
 * @param order its number among the tasks of the process, from 1; each run of a task has its own
 * @param path its pointer with the iterations of loops and the laps of lists, {@code /do/0/loop#2/do/0/greet@1}; unique
 *     but for attempts
 * @param attempt from 1
 * @param raw its input before transformation
 * @param input its transformed input
 * @param since start of its first attempt
 * @param deadline null for none
 * @param work its progress
 */
@RecordBuilder
public record Frame(
        String pointer,
        long order,
        String path,
        int attempt,
        Json raw,
        Json input,
        Instant startedAt,
        Instant since,
        @Nullable Instant deadline,
        Work work)
        implements FrameBuilder.With {
    static final Work NOT_BEGUN = new Yielded(0, 0, Values.NULL);

    /** Progress of a task. */
    public sealed interface Work {}

    /**
     * A call is pending.
     *
     * @param key identifies the call
     */
    public record Calling(String key, int tried) implements Work {}

    /** Waits for a time. */
    public record Sleeping(Instant until) implements Work {}

    /**
     * Waits for a person.
     *
     * @param question with its possible answers
     */
    public record Asking(Json question) implements Work {}

    /**
     * Listens for events.
     *
     * @param outputs outputs of the received events, in order
     * @param heard indexes of the matched filters
     * @param until indexes of the matched {@code until} filters
     * @param correlated correlation values of earlier events
     * @param queue events whose tasks have not run yet
     * @param body progress of the tasks of an event; null between events
     * @param closed no more events are accepted
     */
    @RecordBuilder
    public record Listening(
            List<Json> outputs,
            List<Integer> heard,
            List<Integer> until,
            Json correlated,
            List<Json> queue,
            @Nullable Work body,
            boolean closed)
            implements Work, FrameListeningBuilder.With {
        static final Listening BEGUN =
                new Listening(List.of(), List.of(), List.of(), Values.EMPTY_OBJECT, List.of(), null, false);
    }

    /**
     * Subscribes to messages of a channel.
     *
     * @param key of the pending call for messages, or null
     * @param round number of such calls so far
     * @param cursor position of the next messages; null before the subscription has started
     * @param until end of the subscription; null for no time limit
     * @param outputs outputs of the consumed messages, in order
     * @param queue messages not yet consumed
     * @param body progress of the tasks of a message; null between messages
     * @param closed no more messages are requested
     */
    @RecordBuilder
    public record Subscribing(
            @Nullable String key,
            int round,
            @Nullable Json cursor,
            @Nullable Instant until,
            List<Json> outputs,
            List<Json> queue,
            @Nullable Work body,
            boolean closed)
            implements Work, FrameSubscribingBuilder.With {
        static Subscribing begin(@Nullable Instant until) {
            return new Subscribing(null, 0, null, until, List.of(), List.of(), null, false);
        }
    }

    /**
     * A task of a list runs.
     *
     * @param lap how often the list jumped back
     */
    public record Sequence(int index, int lap, Frame task) implements Work {}

    /** The process has yielded before a task of a list. */
    public record Yielded(int index, int lap, Json input) implements Work {}

    /**
     * An iteration of a loop.
     *
     * @param body a {@link Sequence} or {@link Yielded}
     */
    public record Looping(List<Json> items, int index, Work body) implements Work {}

    /** Parallel branches, running or finished. */
    public record Forking(List<Branch> branches) implements Work {}

    /**
     * @param running null if it has ended
     *
     * @param output null while it runs, or if it failed
     */
    public record Branch(
            @Nullable Frame running,
            @InArray @Nullable Json output,
            @Nullable WorkflowError error) {}

    /**
     * Tasks whose failures are caught.
     *
     * @param retries so far
     * @param since the first failure
     * @param until when this attempt times out
     */
    public record Trying(
            int retries, @Nullable Instant since, @Nullable Instant until, Work body) implements Work {}

    /** Waits to retry the tasks of a {@code try}. */
    public record Retrying(int retries, Instant since, Instant until, WorkflowError error) implements Work {}

    /** An error is being handled. */
    public record Catching(WorkflowError error, Work body) implements Work {}

    /**
     * Tasks of extensions, or the task that they are around.
     *
     * @param stage the tasks before, then the task, then the tasks after
     * @param output of the task; null before it has completed
     */
    public record Extending(
            int stage, Work body, @InArray @Nullable Json output) implements Work {}

    /** A function of the definition is running. */
    public record Function(Frame task) implements Work {}

    /** Waits to retry the task. */
    public record Again(Instant since, Instant until, WorkflowError error) implements Work {}

    /** Failed, with the process; a person can repair it. */
    public record Broken(WorkflowError error) implements Work {}

    /** The running tasks directly below. */
    static Stream<Frame> tasks(@Nullable Work work) {
        return switch (work) {
            case Sequence sequence -> Stream.of(sequence.task());
            case Function function -> Stream.of(function.task());
            case Looping looping -> tasks(looping.body());
            case Trying trying -> tasks(trying.body());
            case Catching catching -> tasks(catching.body());
            case Listening listening -> tasks(listening.body());
            case Subscribing subscribing -> tasks(subscribing.body());
            case Extending extending -> tasks(extending.body());
            case Forking forking ->
                forking.branches().stream().map(Branch::running).flatMap(Stream::ofNullable);
            case null -> Stream.empty();
            case Yielded _, Calling _, Sleeping _, Asking _, Retrying _, Again _, Broken _ -> Stream.empty();
        };
    }

    /** The phase of a task: waiting for a person, an event or a time, or running. */
    static Phase phase(Work work) {
        return switch (work) {
            case Sleeping _, Asking _, Retrying _, Again _ -> Phase.WAITING;
            case Listening listening -> listening.body() == null ? Phase.WAITING : phase(listening.body());
            case Subscribing subscribing when subscribing.body() != null -> phase(subscribing.body());
            case Subscribing subscribing -> subscribing.cursor() == null ? Phase.RUNNING : Phase.WAITING;
            case Calling _, Yielded _ -> Phase.RUNNING;
            case Broken _ -> Phase.FAULTED;
            case Sequence sequence -> phase(sequence.task().work());
            case Function function -> phase(function.task().work());
            case Extending extending -> phase(extending.body());
            case Looping looping -> phase(looping.body());
            case Trying trying -> phase(trying.body());
            case Catching catching -> phase(catching.body());
            case Forking _ ->
                tasks(work).allMatch(branch -> phase(branch.work()) == Phase.WAITING) ? Phase.WAITING : Phase.RUNNING;
        };
    }

    /** The progress of a task without its extensions. */
    static Work innermost(Work work) {
        return work instanceof Extending extending ? extending.body() : work;
    }

    /** All running tasks below, outer ones first. */
    static Stream<Frame> all(@Nullable Work work) {
        return tasks(work).flatMap(frame -> Stream.concat(Stream.of(frame), all(frame.work())));
    }

    /** This task after a failed attempt, waiting for its retry without a deadline. */
    Frame retryingAt(Instant until, WorkflowError error) {
        return with().deadline(null).work(new Again(since, until, error)).build();
    }

    /** Another run of this task. */
    Frame restart(long number, int nextAttempt, Instant now) {
        return with().order(number)
                .attempt(nextAttempt)
                .startedAt(now)
                .since(now)
                .deadline(null)
                .work(NOT_BEGUN)
                .build();
    }
}
