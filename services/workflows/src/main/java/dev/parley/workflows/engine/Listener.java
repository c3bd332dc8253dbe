package dev.parley.workflows.engine;

import com.google.re2j.Pattern;
import dev.parley.platform.regex.Regex;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.definition.TaskKind.Strategy;
import dev.parley.workflows.engine.Frame.Listening;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Failed;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Behaviour of a {@code listen} task: matches events, correlates them and runs its tasks for each. */
record Listener(Draft draft, TaskKind.Listen listen, Task task, Frame frame, Locals locals) {
    private static final int MAX_EVENTS = 1_000;

    Outcome<Frame.Work> heard(Listening at, ProcessInput signal) {
        Listening next = at;
        if (at.body() != null) {
            Locals inner = inEvent(at);
            switch (draft.resume(foreach().body(), at.body(), signal, inner, path(at))) {
                case Running<Frame.Work>(Frame.Work body) -> next = at.withBody(body);
                case Failed<Frame.Work> failed -> {
                    return broken(failed);
                }
                case Done<Frame.Work>(Json output, String then) -> {
                    if (then.equals(Task.END)) {
                        return new Done<>(output, then);
                    }
                    next = gave(at, output);
                }
            }
        }
        if (signal instanceof ProcessInput.Event(Json event) && !next.closed()) {
            next = taken(next, event);
        }
        return goOn(next);
    }

    /** It does not listen any more; whoever repairs it begins anew. */
    private Outcome<Frame.Work> broken(Failed<Frame.Work> failed) {
        draft.effect(new Effect.CancelListen(frame.order()));
        return new Failed<>(failed.error());
    }

    // ---- events

    private Listening taken(Listening at, Json event) {
        Optional<Listening> ending = ending(at, event);
        if (ending.isPresent()) {
            return ending.get();
        }
        List<TaskKind.Filter> filters = listen.events().filters();
        if (filters.isEmpty()) {
            return queued(at, event, at.heard(), at.correlated());
        }
        for (int i = 0; i < filters.size(); i++) {
            boolean open =
                    listen.events().strategy() != Strategy.ALL || !at.heard().contains(i);
            Optional<Json> correlated = open ? matches(filters.get(i), event, at.correlated()) : Optional.empty();
            if (correlated.isPresent()) {
                return queued(at, event, more(at.heard(), i), correlated.get());
            }
        }
        return at;
    }

    /** The progress after an event that {@code until} waits for; empty for other events. */
    private Optional<Listening> ending(Listening at, Json event) {
        TaskKind.Events until = listen.untilEvents();
        if (until == null) {
            return Optional.empty();
        }
        List<TaskKind.Filter> filters = until.filters();
        for (int i = 0; i < filters.size(); i++) {
            boolean open = !at.until().contains(i);
            if (open && matches(filters.get(i), event, at.correlated()).isPresent()) {
                List<Integer> heard = more(at.until(), i);
                boolean closed = until.strategy() != Strategy.ALL || heard.size() == filters.size();
                return Optional.of(at.with().until(heard).closed(closed).build());
            }
        }
        return Optional.empty();
    }

    private Listening queued(Listening at, Json event, List<Integer> heard, Json correlated) {
        if (at.outputs().size() + at.queue().size() >= MAX_EVENTS) {
            throw new TaskFailure(Standard.RUNTIME.error(
                    "'" + task.name() + "' heard more than " + MAX_EVENTS + " events", task.pointer()));
        }
        Json value = listen.read() == TaskKind.Read.ENVELOPE ? event : event.get("data");
        boolean each = listen.foreach() != null;
        boolean closed = switch (listen.events().strategy()) {
            case ONE -> true;
            case ALL -> heard.size() == listen.events().filters().size();
            case ANY -> listen.until() == null && listen.untilEvents() == null;
        };
        Listening next = each ? at.withQueue(more(at.queue(), value)) : at.withOutputs(more(at.outputs(), value));
        return next.with().heard(heard).correlated(correlated).closed(closed).build();
    }

    private static <T> List<T> more(List<T> some, T one) {
        var all = new ArrayList<>(some);
        all.add(one);
        return all;
    }

    // ---- tasks of events

    private Outcome<Frame.Work> goOn(Listening begun) {
        Listening at = begun;
        while (true) {
            boolean over = listen.until() != null
                    && !at.outputs().isEmpty()
                    && draft.evaluate(listen.until(), task, frame, Json.of(at.outputs()), locals)
                            .isTruthy();
            if (at.body() == null && (over || at.closed() && at.queue().isEmpty())) {
                draft.effect(new Effect.CancelListen(frame.order()));
                return new Done<>(Json.of(at.outputs()), Outcome.AS_IT_SAYS);
            }
            if (at.body() != null || at.queue().isEmpty()) {
                return new Running<>(at);
            }
            switch (draft.block(foreach().body(), at.queue().getFirst(), inEvent(at), path(at))) {
                case Running<Frame.Work>(Frame.Work body) -> {
                    return new Running<>(at.withBody(body));
                }
                case Failed<Frame.Work> failed -> {
                    return broken(failed);
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

    /** The tasks of the first event in the queue gave this. */
    private Listening gave(Listening at, Json output) {
        Json transformed = draft.ofEvent(foreach(), task, frame, output, inEvent(at));
        List<Json> rest = at.queue().subList(1, at.queue().size());
        return at.with()
                .outputs(more(at.outputs(), transformed))
                .queue(rest)
                .body(null)
                .build();
    }

    private TaskKind.Foreach foreach() {
        if (listen.foreach() == null) {
            throw new IllegalStateException(task.pointer() + " has no tasks for events");
        }
        return listen.foreach();
    }

    private Locals inEvent(Listening at) {
        return locals.with(foreach().item(), at.queue().getFirst())
                .with(foreach().at(), Json.of(at.outputs().size()));
    }

    private String path(Listening at) {
        return frame.path() + "#" + at.outputs().size() + "/foreach/do";
    }

    // ---- filters

    /** What is correlated after this event, or empty where it is not meant. */
    private Optional<Json> matches(TaskKind.Filter filter, Json event, Json before) {
        boolean attributes = filter.with().entrySet().stream()
                .allMatch(
                        attribute -> matches(attribute.getKey(), attribute.getValue(), event.get(attribute.getKey())));
        if (!attributes) {
            return Optional.empty();
        }
        Json correlated = before;
        for (Map.Entry<String, TaskKind.Correlation> one : filter.correlate().entrySet()) {
            Json value = draft.evaluate(one.getValue().from(), task, frame, event, locals);
            Template expect = one.getValue().expect();
            Json expected = expect == null
                    ? correlated.get(one.getKey())
                    : draft.evaluate(expect, task, frame, frame.input(), locals);
            boolean first = expect == null && !correlated.map().containsKey(one.getKey());
            if (!first && !expected.equals(value)) {
                return Optional.empty();
            }
            correlated = correlated.with(one.getKey(), value);
        }
        return Optional.of(correlated);
    }

    /** An attribute is the value, is matched by the regular expression, or makes the expression true. */
    private boolean matches(String name, Template asked, Json value) {
        if (asked instanceof Template.Fixed(Json fixed)) {
            return fixed.equals(value) || !name.equals("data") && found(fixed, value);
        }
        Json result = draft.evaluate(asked, task, frame, value, locals);
        return result instanceof Json.Bool ? result.isTruthy() : result.equals(value);
    }

    private static boolean found(Json regex, Json value) {
        if (value.isNull() || !(regex instanceof Json.Str(String pattern))) {
            return false;
        }
        try {
            Pattern compiled = Regex.compile(pattern, false);
            return compiled.matcher(value.display()).matches();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
