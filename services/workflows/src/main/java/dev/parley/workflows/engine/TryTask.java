package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Block;
import dev.parley.workflows.definition.RetryPolicy;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Failed;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Behaviour of a {@code try} task: runs its tasks, and after a caught error retries them or runs its handler. */
record TryTask(TaskRun run, TaskKind.Try attempt) {
    Outcome<Frame.Work> begin() {
        return attempt(0, null);
    }

    /** Retries the tasks if the delay is over. */
    Outcome<Frame.Work> resume(Frame.Retrying at, ProcessInput input) {
        return input instanceof ProcessInput.Tick && run.draft().isDue(at.until())
                ? attempt(at.retries(), at.since())
                : new Running<>(at);
    }

    private Outcome<Frame.Work> attempt(int retries, @Nullable Instant since) {
        RetryPolicy retry = attempt.handler().retry();
        Instant until = retry == null || retry.attemptTimeout() == null
                ? null
                : run.draft().now().plus(run.duration(retry.attemptTimeout()));
        Outcome<Frame.Work> outcome = run.draft().block(attempt.body(), run.input(), insideTry(retries), tryPath());
        return tried(new Frame.Trying(retries, since, until, run.frame().work()), outcome);
    }

    Outcome<Frame.Work> resume(Frame.Trying at, ProcessInput input) {
        if (input instanceof ProcessInput.Tick && run.draft().isDue(at.until())) {
            new TaskCancellation(run.draft()).cancel(attempt.body(), at.body());
            return caught(at, run.error(Standard.TIMEOUT, "the attempt timed out"));
        }
        return tried(at, run.draft().resume(attempt.body(), at.body(), input, insideTry(at.retries()), tryPath()));
    }

    private Locals insideTry(int retries) {
        return run.locals().trying(attempt.handler().retry(), retries);
    }

    private String tryPath() {
        return run.frame().path() + "/try";
    }

    /** The outcome of the task from that of its tasks. */
    private Outcome<Frame.Work> tried(Frame.Trying at, Outcome<Frame.Work> outcome) {
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work body) ->
                new Running<>(new Frame.Trying(at.retries(), at.since(), at.until(), body));
            case Done<Frame.Work> done -> done.ofList();
            case Failed<Frame.Work>(WorkflowError error, Frame.Work body) -> {
                Outcome<Frame.Work> caught = caught(at, error);
                boolean broken = caught instanceof Failed<Frame.Work> failed && failed.at() == null && body != null;
                yield broken ? new Failed<>(error, new Frame.Trying(at.retries(), at.since(), null, body)) : caught;
            }
        };
    }

    // ---- errors

    private Outcome<Frame.Work> caught(Frame.Trying at, WorkflowError error) {
        TaskKind.Catch handler = attempt.handler();
        TaskRun handling = run.with(insideCatch(error));
        if (!catches(error, handling)) {
            return new Failed<>(error);
        }
        Instant since = at.since() == null ? run.draft().now() : at.since();
        if (handler.retry() != null) {
            int retry = at.retries() + 1;
            Optional<Instant> next = new Retries(handling, handler.retry()).next(retry, since, error);
            if (next.isPresent()) {
                return new Running<>(new Frame.Retrying(retry, since, next.get(), error));
            }
        }
        if (handler.body() != null) {
            return handled(error, run.draft().block(handler.body(), run.input(), handling.locals(), catchPath()));
        }
        return handler.retry() == null ? new Done<>(run.input()) : new Failed<>(error);
    }

    private boolean catches(WorkflowError error, TaskRun handling) {
        TaskKind.Catch handler = attempt.handler();
        return error.matches(handler.errors())
                && (handler.when() == null || handling.isTrue(handler.when()))
                && (handler.exceptWhen() == null || !handling.isTrue(handler.exceptWhen()));
    }

    Outcome<Frame.Work> resume(Frame.Catching at, ProcessInput input) {
        return handled(
                at.error(),
                run.draft().resume(handlerBody(attempt), at.body(), input, insideCatch(at.error()), catchPath()));
    }

    private static Outcome<Frame.Work> handled(WorkflowError error, Outcome<Frame.Work> outcome) {
        return outcome.<Frame.Work>map(body -> new Frame.Catching(error, body)).ofList();
    }

    private Locals insideCatch(WorkflowError error) {
        return run.locals().with(attempt.handler().as(), error.toJson());
    }

    private String catchPath() {
        return run.frame().path() + "/catch/do";
    }

    /** The tasks of a handler that is running. */
    static Block handlerBody(TaskKind.Try attempt) {
        return Objects.requireNonNull(attempt.handler().body());
    }
}
