package dev.parley.workflows.engine;

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
 * @param path its pointer with the iterations of loops and the laps of lists, {@code /do/0/loop#2/do/0/greet@1}; unique but for attempts
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

    /** A call is under way. @param key it is known by, here and outside */
    public record Calling(String key, int tried) implements Work {}

    /** A time is waited for. */
    public record Sleeping(Instant until) implements Work {}

    /** A person is asked. @param question as it is shown, with the answers that are possible */
    public record Asking(Json question) implements Work {}

    /**
     * Events are waited for.
     *
     * @param outputs what those that came gave, in order
     * @param heard which filters have theirs
     * @param until which filters of the events that end it have theirs
     * @param correlated what the events before had
     * @param queue events whose tasks are still to run
     * @param body what the tasks of an event are at; null between events
     * @param closed no more events are taken
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
     * Messages of a channel are waited for.
     *
     * @param key of the call for messages that is under way; null where none is
     * @param round of such calls so far
     * @param cursor where the next messages are; null before the subscription has begun
     * @param until when no more messages are taken; null where no time says so
     * @param outputs what those that were consumed gave, in order
     * @param queue messages that are still to be consumed
     * @param body what the tasks of a message are at; null between messages
     * @param closed no more messages are asked for
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
        static Subscribing begun(@Nullable Instant until) {
            return new Subscribing(null, 0, null, until, List.of(), List.of(), null, false);
        }
    }

    /** One of a list of tasks runs. @param lap how often it went back in the list */
    public record Sequence(int index, int lap, Frame task) implements Work {}

    /** One of a list of tasks is to begin, when others had their turn. */
    public record Yielded(int index, int lap, Json input) implements Work {}

    /** A round of a loop. @param body a {@link Sequence} or {@link Yielded} */
    public record Looping(List<Json> items, int index, Work body) implements Work {}

    /** Branches, each with what it is at or what it gave. */
    public record Forking(List<Branch> branches) implements Work {}

    /** @param running null where it has ended @param output null where it runs, or failed */
    public record Branch(
            @Nullable Frame running,
            @Nullable Json output,
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

    /** Tasks whose failures are caught are tried again at this time. */
    public record Retrying(int retries, Instant since, Instant until, WorkflowError error) implements Work {}

    /** A failure is handled. */
    public record Catching(WorkflowError error, Work body) implements Work {}

    /**
     * Tasks of extensions, or the task that they are around.
     *
     * @param stage first those before, then the task, then those after
     * @param output what the task gave; null before it did
     */
    public record Extending(int stage, Work body, @Nullable Json output) implements Work {}

    /** A function of the definition runs. */
    public record Function(Frame task) implements Work {}

    /** The task itself is tried again at this time. */
    public record Again(Instant since, Instant until, WorkflowError error) implements Work {}

    /** It has failed, and the process with it; a person may let it go on. */
    public record Broken(WorkflowError error) implements Work {}

    /** The tasks under way that are next below such a work. */
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

    /** What a task itself is at, where tasks of extensions are around it. */
    static Work innermost(Work work) {
        return work instanceof Extending extending ? extending.body() : work;
    }

    /** All tasks under way in such a work, the outer ones first. */
    static Stream<Frame> all(@Nullable Work work) {
        return tasks(work).flatMap(frame -> Stream.concat(Stream.of(frame), all(frame.work())));
    }

    /** This task, whose attempt has failed: it is tried again, and has no deadline until then. */
    Frame waiting(Instant until, WorkflowError error) {
        return with().deadline(null).work(new Again(since, until, error)).build();
    }

    /** Another run of this task. */
    Frame anew(long number, int tried, Instant now) {
        return with().order(number)
                .attempt(tried)
                .startedAt(now)
                .since(now)
                .deadline(null)
                .work(NOT_BEGUN)
                .build();
    }
}
