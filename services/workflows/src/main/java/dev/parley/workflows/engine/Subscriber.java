package dev.parley.workflows.engine;

import dev.parley.workflows.definition.Task;
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
import org.jspecify.annotations.Nullable;

/**
 * What a task that consumes messages makes of what happens. Messages come by calls, one after the other: the first one gives the place where the
 * subscription begins, and each says where the next one goes on. The place is part of the state of the process, so that a call that is made again
 * gives the same messages, and none is consumed twice.
 */
record Subscriber(Draft draft, TaskKinds kinds, TaskKind.Subscribe subscribe, Task task, Frame frame, Locals locals) {
    private static final int MOST_MESSAGES = 1_000;

    Outcome<Frame.Work> begin() {
        Instant until =
                subscribe.time() == null ? null : draft.now().plus(kinds.length(subscribe.time(), task, frame, locals));
        Json with = draft.evaluate(subscribe.with(), task, frame, frame.input(), locals);
        return new Running<>(asked(Subscribing.begun(until), with));
    }

    Outcome<Frame.Work> heard(Subscribing before, ProcessInput signal) {
        Subscribing at = before;
        if (signal instanceof ProcessInput.Tick && draft.isDue(at.until())) {
            at = over(at);
        }
        if (at.body() != null) {
            switch (draft.resume(subscribe.foreach().body(), at.body(), signal, inMessage(at), path(at))) {
                case Running<Frame.Work>(Frame.Work body) -> at = with(at, at.outputs(), at.queue(), body);
                case Failed<Frame.Work> failed -> {
                    return new Failed<>(failed.error()); // whoever repairs it begins anew
                }
                case Done<Frame.Work>(Json output, String then) -> {
                    if (then.equals(Task.END)) {
                        return new Done<>(output, then);
                    }
                    at = gave(at, output);
                }
            }
        }
        if (signal instanceof ProcessInput.Result result && result.key().equals(at.key())) {
            if (result.error() != null) {
                WorkflowError error = result.error();
                return new Failed<>(
                        new WorkflowError(error.type(), error.status(), error.title(), error.detail(), task.pointer()));
            }
            at = taken(at, result.output());
        }
        return goOn(at);
    }

    // ---- messages

    /** Asks for what comes next. */
    private Subscribing asked(Subscribing at, Json arguments) {
        String key = draft.id() + ":" + frame.order() + ":m" + at.round();
        kinds.ask(key, "asyncapi", arguments, task, frame, locals);
        return new Subscribing(
                key, at.round() + 1, at.cursor(), at.until(), at.outputs(), at.queue(), at.body(), at.closed());
    }

    /** What a call gave: messages and where the next ones are; or, as trials have it, all messages. */
    private static Subscribing taken(Subscribing at, Json output) {
        boolean all = output instanceof Json.Arr;
        return new Subscribing(
                null,
                at.round(),
                all ? Values.EMPTY_OBJECT : output.get("cursor"),
                at.until(),
                at.outputs(),
                all ? output.list() : output.get("messages").list(),
                at.body(),
                at.closed() || all);
    }

    /** Its time is over: what has come is consumed still. */
    private Subscribing over(Subscribing at) {
        if (at.key() != null) {
            draft.effect(new Effect.CancelCall(at.key()));
        }
        return new Subscribing(null, at.round(), at.cursor(), null, at.outputs(), at.queue(), at.body(), true);
    }

    private Subscribing ended(Subscribing at) {
        return new Subscribing(null, at.round(), at.cursor(), null, at.outputs(), List.of(), null, true);
    }

    private Outcome<Frame.Work> goOn(Subscribing begun) {
        Subscribing at = begun;
        while (at.body() == null && !at.queue().isEmpty()) {
            Json message = at.queue().getFirst();
            if (subscribe.filter() != null && !isTrue(subscribe.filter(), at)) {
                at = with(at, at.outputs(), rest(at), null);
            } else if (subscribe.until() != null && isTrue(subscribe.until(), at)) {
                at = ended(at);
            } else if (!subscribe.hasTasks()) {
                at = counted(at, message);
            } else {
                switch (draft.block(subscribe.foreach().body(), message, inMessage(at), path(at))) {
                    case Running<Frame.Work>(Frame.Work body) -> at = with(at, at.outputs(), at.queue(), body);
                    case Failed<Frame.Work> failed -> {
                        return new Failed<>(failed.error());
                    }
                    case Done<Frame.Work>(Json output, String then) -> {
                        if (then.equals(Task.END)) {
                            return new Done<>(output, then);
                        }
                        at = gave(at, output);
                    }
                }
            }
        }
        if (at.body() != null || at.key() != null) {
            return new Running<>(at);
        }
        return at.closed()
                ? new Done<>(Json.of(at.outputs()), Outcome.AS_IT_SAYS)
                : new Running<>(asked(at, Json.of("cursor", at.cursor() == null ? Values.NULL : at.cursor())));
    }

    // ---- tasks of messages

    private Subscribing gave(Subscribing at, Json output) {
        return counted(at, draft.ofEvent(subscribe.foreach(), task, frame, output, inMessage(at)));
    }

    /** The first message of the queue is consumed; whether another one is to be. */
    private Subscribing counted(Subscribing at, Json output) {
        var outputs = new ArrayList<>(at.outputs());
        outputs.add(output);
        boolean over = outputs.size() == (subscribe.amount() == null ? -1 : subscribe.amount())
                || subscribe.condition() != null && !isTrue(subscribe.condition(), at)
                || subscribe.hasTasks() && subscribe.until() != null && isTrue(subscribe.until(), at);
        long weight = outputs.stream().mapToLong(Json::weight).sum();
        if (outputs.size() > MOST_MESSAGES || weight > Draft.LARGEST) {
            throw new TaskFailure(Standard.RUNTIME.error(
                    "'%s' consumed more than %d messages, or %d characters and items"
                            .formatted(task.name(), MOST_MESSAGES, Draft.LARGEST),
                    task.pointer()));
        }
        Subscribing consumed = with(at, outputs, rest(at), null);
        return over ? ended(consumed) : consumed;
    }

    private static List<Json> rest(Subscribing at) {
        return at.queue().subList(1, at.queue().size());
    }

    /** Whether an expression says so of the first message in the queue. */
    private boolean isTrue(Expression expression, Subscribing at) {
        return draft.evaluate(expression, task, frame, at.queue().getFirst(), inMessage(at))
                .isTruthy();
    }

    private Locals inMessage(Subscribing at) {
        return locals.with(subscribe.foreach().item(), at.queue().getFirst())
                .with(subscribe.foreach().at(), Json.of(at.outputs().size()));
    }

    private String path(Subscribing at) {
        return frame.path() + "#" + at.outputs().size() + "/with/subscription/foreach/do";
    }

    private static Subscribing with(Subscribing at, List<Json> outputs, List<Json> queue, Frame.@Nullable Work body) {
        return new Subscribing(at.key(), at.round(), at.cursor(), at.until(), outputs, queue, body, at.closed());
    }
}
