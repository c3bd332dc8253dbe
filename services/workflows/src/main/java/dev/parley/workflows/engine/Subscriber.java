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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Behaviour of an AsyncAPI subscription. Messages are fetched by successive calls; each returns the cursor of the next. The cursor is part of
 * the process state, so that a repeated call returns the same messages and none is consumed twice.
 */
record Subscriber(Draft draft, TaskKinds kinds, TaskKind.Subscribe subscribe, Task task, Frame frame, Locals locals) {
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
            return goOn(at, draft.resume(subscribe.foreach().body(), at.body(), signal, inMessage(at), path(at)));
        }
        if (signal instanceof ProcessInput.Result result && result.key().equals(at.key())) {
            if (result.error() != null) {
                return new Failed<>(result.error().at(task.pointer()));
            }
            at = taken(at, result.output());
        }
        return goOn(at, null);
    }

    // ---- messages

    /** Asks for what comes next. */
    private Subscribing asked(Subscribing at, Json arguments) {
        String key = draft.id() + ":" + frame.order() + ":m" + at.round();
        kinds.ask(key, "asyncapi", arguments, task, frame, locals);
        return at.with().key(key).round(at.round() + 1).build();
    }

    /** What a call gave: messages and where the next ones are; or, as trials have it, all messages. */
    private static Subscribing taken(Subscribing at, Json output) {
        boolean all = output instanceof Json.Arr;
        return at.with()
                .key(null)
                .cursor(all ? Values.EMPTY_OBJECT : output.get("cursor"))
                .queue(all ? output.list() : output.get("messages").list())
                .closed(at.closed() || all)
                .build();
    }

    /** Its time is over: what has come is consumed still. */
    private Subscribing over(Subscribing at) {
        if (at.key() != null) {
            draft.effect(new Effect.CancelCall(at.key()));
        }
        return at.with().key(null).until(null).closed(true).build();
    }

    private Subscribing ended(Subscribing at) {
        return at.with()
                .key(null)
                .until(null)
                .queue(List.of())
                .body(null)
                .closed(true)
                .build();
    }

    /** @param resumed what the tasks of the first message came to; null where none are under way */
    private Outcome<Frame.Work> goOn(Subscribing begun, @Nullable Outcome<Frame.Work> resumed) {
        Subscribing at = begun;
        Outcome<Frame.Work> tasks = resumed;
        while (tasks != null || at.body() == null && !at.queue().isEmpty()) {
            Optional<Subscribing> alone = tasks == null ? withoutTasks(at) : Optional.empty();
            if (alone.isPresent()) {
                at = alone.get();
                continue;
            }
            Json message = at.queue().getFirst();
            switch (tasks == null ? draft.block(subscribe.foreach().body(), message, inMessage(at), path(at)) : tasks) {
                case Running<Frame.Work>(Frame.Work body) -> at = at.withBody(body);
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
            tasks = null;
        }
        if (at.body() != null || at.key() != null) {
            return new Running<>(at);
        }
        return at.closed()
                ? new Done<>(Json.of(at.outputs()), Outcome.AS_IT_SAYS)
                : new Running<>(asked(at, Json.of("cursor", at.cursor() == null ? Values.NULL : at.cursor())));
    }

    /** What becomes of the first message where no tasks run for it; empty where they do. */
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
        if (outputs.size() > TaskKind.Subscribe.MAX_MESSAGES || weight > Draft.MAX_WEIGHT) {
            throw new TaskFailure(Standard.RUNTIME.error(
                    "'%s' consumed more than %d messages, or %d characters and items"
                            .formatted(task.name(), TaskKind.Subscribe.MAX_MESSAGES, Draft.MAX_WEIGHT),
                    task.pointer()));
        }
        Subscribing consumed =
                at.with().outputs(outputs).queue(rest(at)).body(null).build();
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
}
