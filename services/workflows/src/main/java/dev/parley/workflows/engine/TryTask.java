package dev.parley.workflows.engine;

import dev.parley.workflows.definition.RetryPolicy;
import dev.parley.workflows.definition.TaskBlock;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Behaviour of a {@code try} task: runs its tasks, and after a caught error retries them or runs its handler. */
record TryTask(TaskRun run, TaskKind.Try attempt) {
    StepOutcome<Frame.Work> begin() {
        return attempt(0, null);
    }

    /** Retries the tasks if the delay is over. */
    StepOutcome<Frame.Work> resume(Frame.Retrying progress, ProcessInput input) {
        return input instanceof ProcessInput.Tick && run.draft().isDue(progress.until())
                ? attempt(progress.retries(), progress.since())
                : new Running<>(progress);
    }

    private StepOutcome<Frame.Work> attempt(int retries, @Nullable Instant since) {
        RetryPolicy retry = attempt.handler().retry();
        Instant until = retry == null || retry.attemptTimeout() == null
                ? null
                : run.draft().now().plus(run.duration(retry.attemptTimeout()));
        StepOutcome<Frame.Work> outcome = run.draft().block(attempt.body(), run.input(), insideTry(retries), tryPath());
        return onOutcome(new Frame.Trying(retries, since, until, run.frame().work()), outcome);
    }

    StepOutcome<Frame.Work> resume(Frame.Trying progress, ProcessInput input) {
        if (input instanceof ProcessInput.Tick && run.draft().isDue(progress.until())) {
            new TaskCancellation(run.draft()).cancel(attempt.body(), progress.body());
            return onFailure(progress, run.error(Standard.TIMEOUT, "the attempt timed out"));
        }
        return onOutcome(
                progress,
                run.draft().resume(attempt.body(), progress.body(), input, insideTry(progress.retries()), tryPath()));
    }

    private Locals insideTry(int retries) {
        return run.locals().trying(attempt.handler().retry(), retries);
    }

    private String tryPath() {
        return run.frame().path() + "/try";
    }

    /** The outcome of the task from that of its tasks. */
    private StepOutcome<Frame.Work> onOutcome(Frame.Trying progress, StepOutcome<Frame.Work> outcome) {
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work body) ->
                new Running<>(new Frame.Trying(progress.retries(), progress.since(), progress.until(), body));
            case Done<Frame.Work> done -> done.ofList();
            case Failed<Frame.Work>(WorkflowError error, Frame.Work body) -> {
                StepOutcome<Frame.Work> caught = onFailure(progress, error);
                boolean broken =
                        caught instanceof Failed<Frame.Work> failed && failed.progress() == null && body != null;
                yield broken
                        ? new Failed<>(error, new Frame.Trying(progress.retries(), progress.since(), null, body))
                        : caught;
            }
        };
    }

    private StepOutcome<Frame.Work> onFailure(Frame.Trying progress, WorkflowError error) {
        TaskKind.Catch handler = attempt.handler();
        TaskRun handling = run.with(insideCatch(error));
        if (!catches(error, handling)) {
            return new Failed<>(error);
        }
        Instant since = progress.since() == null ? run.draft().now() : progress.since();
        if (handler.retry() != null) {
            int retry = progress.retries() + 1;
            Optional<Instant> next = new Retries(handling, handler.retry()).next(retry, since, error);
            if (next.isPresent()) {
                return new Running<>(new Frame.Retrying(retry, since, next.get(), error));
            }
        }
        if (handler.body() != null) {
            return asCatching(error, run.draft().block(handler.body(), run.input(), handling.locals(), catchPath()));
        }
        return handler.retry() == null ? new Done<>(run.input()) : new Failed<>(error);
    }

    private boolean catches(WorkflowError error, TaskRun handling) {
        TaskKind.Catch handler = attempt.handler();
        return error.matches(handler.errors())
                && (handler.when() == null || handling.isTrue(handler.when()))
                && (handler.exceptWhen() == null || !handling.isTrue(handler.exceptWhen()));
    }

    StepOutcome<Frame.Work> resume(Frame.Catching progress, ProcessInput input) {
        return asCatching(
                progress.error(),
                run.draft()
                        .resume(
                                handlerBody(attempt),
                                progress.body(),
                                input,
                                insideCatch(progress.error()),
                                catchPath()));
    }

    private static StepOutcome<Frame.Work> asCatching(WorkflowError error, StepOutcome<Frame.Work> outcome) {
        return outcome.<Frame.Work>map(body -> new Frame.Catching(error, body)).ofList();
    }

    private Locals insideCatch(WorkflowError error) {
        return run.locals().with(attempt.handler().as(), error.toJson());
    }

    private String catchPath() {
        return run.frame().path() + "/catch/do";
    }

    /** The tasks of a handler that is running. */
    static TaskBlock handlerBody(TaskKind.Try attempt) {
        return Objects.requireNonNull(attempt.handler().body());
    }
}
