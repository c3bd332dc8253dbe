package dev.parley.workflows.engine;

import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.Frame.Subscribing;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Failed;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.Expression;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Behaviour of an AsyncAPI subscription. Messages are fetched by successive calls; each returns the cursor of the next. The cursor is part of
 * the process state, so that a repeated call returns the same messages and none is consumed twice.
 */
record Subscriber(TaskRun run, TaskKind.Subscribe subscribe) {
    Outcome<Frame.Work> begin() {
        Instant until = subscribe.time() == null ? null : run.draft().now().plus(run.duration(subscribe.time()));
        return new Running<>(requested(Subscribing.begun(until), run.evaluate(subscribe.with())));
    }

    Outcome<Frame.Work> resume(Subscribing before, ProcessInput input) {
        Subscribing at =
                input instanceof ProcessInput.Tick && run.draft().isDue(before.until()) ? closed(before) : before;
        if (at.body() != null) {
            return consumed(
                    at, run.draft().resume(subscribe.foreach().body(), at.body(), input, inMessage(at), path(at)));
        }
        if (!(input instanceof ProcessInput.Result result) || !result.key().equals(at.key())) {
            return consume(at);
        }
        return result.error() == null
                ? consume(received(at, result.output()))
                : new Failed<>(result.error().at(run.task().pointer()));
    }

    // ---- messages

    /** Requests the next messages. */
    private Subscribing requested(Subscribing at, Json arguments) {
        var call = new CallTask(run);
        String key = call.key(":m" + at.round());
        call.request(key, "asyncapi", arguments);
        return at.with().key(key).round(at.round() + 1).build();
    }

    /** Queues the output of a call: messages with the next cursor; in simulations, an array of all messages. */
    private static Subscribing received(Subscribing at, Json output) {
        boolean all = output instanceof Json.Arr;
        return at.with()
                .key(null)
                .cursor(all ? Values.EMPTY_OBJECT : output.get("cursor"))
                .queue(all ? output.list() : output.get("messages").list())
                .closed(at.closed() || all)
                .build();
    }

    /** Ends the subscription at its time limit; queued messages are still consumed. */
    private Subscribing closed(Subscribing at) {
        if (at.key() != null) {
            run.draft().effect(new Effect.CancelCall(at.key()));
        }
        return at.with().key(null).until(null).closed(true).build();
    }

    private static Subscribing ended(Subscribing at) {
        return at.with()
                .key(null)
                .until(null)
                .queue(List.of())
                .body(null)
                .closed(true)
                .build();
    }

    /** Consumes queued messages until the tasks of one wait, then requests more. */
    private Outcome<Frame.Work> consume(Subscribing before) {
        Subscribing at = before;
        while (at.body() == null && !at.queue().isEmpty()) {
            Optional<Subscribing> handled = withoutTasks(at);
            if (handled.isEmpty()) {
                Json message = at.queue().getFirst();
                return consumed(at, run.draft().block(subscribe.foreach().body(), message, inMessage(at), path(at)));
            }
            at = handled.get();
        }
        if (at.body() != null || at.key() != null) {
            return new Running<>(at);
        }
        return at.closed()
                ? new Done<>(Json.of(at.outputs()))
                : new Running<>(requested(at, Json.of("cursor", at.cursor() == null ? Values.NULL : at.cursor())));
    }

    /** Continues after the tasks of the first message. */
    private Outcome<Frame.Work> consumed(Subscribing at, Outcome<Frame.Work> tasks) {
        return switch (tasks) {
            case Running<Frame.Work>(Frame.Work body) -> new Running<>(at.withBody(body));
            case Failed<Frame.Work> failed -> new Failed<>(failed.error()); // a repair starts over
            case Done<Frame.Work> done when done.ends() -> done;
            case Done<Frame.Work> done ->
                consume(counted(at, run.with(inMessage(at)).outputOfEvent(subscribe.foreach(), done.output())));
        };
    }

    /** Handles the first message if no tasks run for it; empty if they do. */
    private Optional<Subscribing> withoutTasks(Subscribing at) {
        if (subscribe.filter() != null && !isTrue(subscribe.filter(), at)) {
            return Optional.of(at.with().queue(rest(at)).body(null).build());
        }
        if (subscribe.until() != null && isTrue(subscribe.until(), at)) {
            return Optional.of(ended(at));
        }
        return subscribe.hasTasks()
                ? Optional.empty()
                : Optional.of(counted(at, at.queue().getFirst()));
    }

    /** Removes the first message from the queue, adds its output, and ends the subscription if that was the last. */
    private Subscribing counted(Subscribing at, Json output) {
        var outputs = new ArrayList<>(at.outputs());
        outputs.add(output);
        boolean isLast = outputs.size() == (subscribe.amount() == null ? -1 : subscribe.amount())
                || subscribe.condition() != null && !isTrue(subscribe.condition(), at)
                || subscribe.hasTasks() && subscribe.until() != null && isTrue(subscribe.until(), at);
        long weight = outputs.stream().mapToLong(Json::weight).sum();
        if (outputs.size() > TaskKind.Subscribe.MAX_MESSAGES || weight > ProcessDataFlow.MAX_WEIGHT) {
            throw new TaskFailure(run.error(
                    Standard.RUNTIME,
                    "'%s' consumed more than %d messages, or %d characters and items"
                            .formatted(
                                    run.task().name(), TaskKind.Subscribe.MAX_MESSAGES, ProcessDataFlow.MAX_WEIGHT)));
        }
        Subscribing consumed =
                at.with().outputs(outputs).queue(rest(at)).body(null).build();
        return isLast ? ended(consumed) : consumed;
    }

    private static List<Json> rest(Subscribing at) {
        return at.queue().subList(1, at.queue().size());
    }

    /** Whether a condition holds for the first message. */
    private boolean isTrue(Expression condition, Subscribing at) {
        return run.with(inMessage(at)).isTrue(condition, at.queue().getFirst());
    }

    private Locals inMessage(Subscribing at) {
        return run.locals()
                .with(subscribe.foreach().item(), at.queue().getFirst())
                .with(subscribe.foreach().at(), Json.of(at.outputs().size()));
    }

    private String path(Subscribing at) {
        return run.frame().path() + "#" + at.outputs().size() + "/with/subscription/foreach/do";
    }
}
