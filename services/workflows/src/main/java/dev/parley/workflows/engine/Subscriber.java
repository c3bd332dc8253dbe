package dev.parley.workflows.engine;

import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.Frame.Subscribing;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Behaviour of an AsyncAPI subscription. Messages are fetched by successive calls; each returns the cursor of the next.
 * The cursor is part of the process state, so that a repeated call returns the same messages and none is consumed
 * twice.
 */
record Subscriber(TaskRun run, TaskKind.Subscribe subscribe) {
    StepOutcome<Frame.Work> begin() {
        Instant until = subscribe.time() == null ? null : run.draft().now().plus(run.duration(subscribe.time()));
        return new Running<>(requestNext(Subscribing.begin(until), run.evaluate(subscribe.with())));
    }

    StepOutcome<Frame.Work> resume(Subscribing before, ProcessInput input) {
        Subscribing progress =
                input instanceof ProcessInput.Tick && run.draft().isDue(before.until()) ? close(before) : before;
        if (progress.body() != null) {
            return continueAfter(
                    progress,
                    run.draft()
                            .resume(
                                    subscribe.foreach().body(),
                                    progress.body(),
                                    input,
                                    inMessage(progress),
                                    path(progress)));
        }
        if (!(input instanceof ProcessInput.Result result) || !result.key().equals(progress.key())) {
            return consume(progress);
        }
        return result.error() == null
                ? consume(enqueueOutput(progress, result.output()))
                : new Failed<>(result.error().at(run.task().pointer()));
    }

    /** Requests the next messages. */
    private Subscribing requestNext(Subscribing progress, Json arguments) {
        var call = new CallTask(run);
        String key = call.key(":m" + progress.round());
        call.request(key, "asyncapi", arguments);
        return progress.with().key(key).round(progress.round() + 1).build();
    }

    /** Queues the output of a call: messages with the next cursor; in simulations, an array of all messages. */
    private static Subscribing enqueueOutput(Subscribing progress, Json output) {
        boolean isComplete = output instanceof Json.Arr;
        return progress.with()
                .key(null)
                .cursor(isComplete ? Values.EMPTY_OBJECT : output.get("cursor"))
                .queue(isComplete ? output.list() : output.get("messages").list())
                .closed(progress.closed() || isComplete)
                .build();
    }

    /** Ends the subscription at its time limit; queued messages are still consumed. */
    private Subscribing close(Subscribing progress) {
        if (progress.key() != null) {
            run.draft().effect(new ProcessEffect.CancelCall(progress.key()));
        }
        return progress.with().key(null).until(null).closed(true).build();
    }

    private static Subscribing end(Subscribing progress) {
        return progress.with()
                .key(null)
                .until(null)
                .queue(List.of())
                .body(null)
                .closed(true)
                .build();
    }

    /** Consumes queued messages until the tasks of a message wait, then requests more. */
    private StepOutcome<Frame.Work> consume(Subscribing before) {
        Subscribing progress = before;
        while (progress.body() == null && !progress.queue().isEmpty()) {
            Optional<Subscribing> handled = withoutTasks(progress);
            if (handled.isEmpty()) {
                Json message = progress.queue().getFirst();
                return continueAfter(
                        progress,
                        run.draft().block(subscribe.foreach().body(), message, inMessage(progress), path(progress)));
            }
            progress = handled.get();
        }
        if (progress.body() != null || progress.key() != null) {
            return new Running<>(progress);
        }
        return progress.closed()
                ? new Done<>(Json.of(progress.outputs()))
                : new Running<>(requestNext(
                        progress, Json.of("cursor", progress.cursor() == null ? Values.NULL : progress.cursor())));
    }

    /** Continues after the tasks of the first message. */
    private StepOutcome<Frame.Work> continueAfter(Subscribing progress, StepOutcome<Frame.Work> tasks) {
        return switch (tasks) {
            case Running<Frame.Work>(Frame.Work body) -> new Running<>(progress.withBody(body));
            case Failed<Frame.Work> failed -> new Failed<>(failed.error()); // a repair starts over
            case Done<Frame.Work> done when done.ends() -> done;
            case Done<Frame.Work> done ->
                consume(consumeFirst(
                        progress, run.with(inMessage(progress)).outputOfEvent(subscribe.foreach(), done.output())));
        };
    }

    /** Handles the first message if no tasks run for it; empty if they do. */
    private Optional<Subscribing> withoutTasks(Subscribing progress) {
        if (subscribe.filter() != null && !isTrue(subscribe.filter(), progress)) {
            return Optional.of(
                    progress.with().queue(remaining(progress)).body(null).build());
        }
        if (subscribe.until() != null && isTrue(subscribe.until(), progress)) {
            return Optional.of(end(progress));
        }
        return subscribe.hasTasks()
                ? Optional.empty()
                : Optional.of(consumeFirst(progress, progress.queue().getFirst()));
    }

    /** Removes the first message from the queue, adds its output, and ends the subscription if that was the last. */
    private Subscribing consumeFirst(Subscribing progress, Json output) {
        var outputs = new ArrayList<>(progress.outputs());
        outputs.add(output);
        boolean isLast = outputs.size() == (subscribe.amount() == null ? -1 : subscribe.amount())
                || subscribe.condition() != null && !isTrue(subscribe.condition(), progress)
                || subscribe.hasTasks() && subscribe.until() != null && isTrue(subscribe.until(), progress);
        long weight = outputs.stream().mapToLong(Json::weight).sum();
        if (outputs.size() > TaskKind.Subscribe.MAX_MESSAGES || weight > ProcessDataFlow.MAX_WEIGHT) {
            throw new TaskFailure(run.error(
                    Standard.RUNTIME,
                    "'%s' consumed more than %d messages, or %d characters and items"
                            .formatted(
                                    run.task().name(), TaskKind.Subscribe.MAX_MESSAGES, ProcessDataFlow.MAX_WEIGHT)));
        }
        Subscribing consumed = progress.with()
                .outputs(outputs)
                .queue(remaining(progress))
                .body(null)
                .build();
        return isLast ? end(consumed) : consumed;
    }

    private static List<Json> remaining(Subscribing progress) {
        return progress.queue().subList(1, progress.queue().size());
    }

    /** Whether a condition holds for the first message. */
    private boolean isTrue(Expression condition, Subscribing progress) {
        return run.with(inMessage(progress)).isTrue(condition, progress.queue().getFirst());
    }

    private Locals inMessage(Subscribing progress) {
        return run.locals()
                .with(subscribe.foreach().item(), progress.queue().getFirst())
                .with(subscribe.foreach().at(), Json.of(progress.outputs().size()));
    }

    private String path(Subscribing progress) {
        return run.frame().path() + "#" + progress.outputs().size() + "/with/subscription/foreach/do";
    }
}
