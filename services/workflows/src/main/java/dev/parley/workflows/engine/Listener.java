package dev.parley.workflows.engine;

import com.google.re2j.Pattern;
import dev.parley.platform.regex.Regex;
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
record Listener(TaskRun run, TaskKind.Listen listen) {
    private static final int MAX_EVENTS = 1_000;

    Outcome<Frame.Work> begin() {
        Frame frame = run.frame();
        run.draft().effect(new Effect.Listen(frame.order(), frame.pointer(), listen.types()));
        return new Running<>(Listening.BEGUN);
    }

    Outcome<Frame.Work> resume(Listening before, ProcessInput input) {
        Listening at = before;
        if (at.body() != null) {
            switch (run.draft().resume(foreach().body(), at.body(), input, inEvent(at), path(at))) {
                case Running<Frame.Work>(Frame.Work body) -> at = at.withBody(body);
                case Failed<Frame.Work> failed -> {
                    return broken(failed);
                }
                case Done<Frame.Work> done
                when done.ends() -> {
                    return done;
                }
                case Done<Frame.Work> done -> at = consumed(at, done.output());
            }
        }
        if (input instanceof ProcessInput.Event(Json event) && !at.closed()) {
            at = received(at, event);
        }
        return consume(at);
    }

    /** Unsubscribes after a failure; a repair starts over. */
    private Outcome<Frame.Work> broken(Failed<Frame.Work> failed) {
        run.draft().effect(new Effect.CancelListen(run.frame().order()));
        return new Failed<>(failed.error());
    }

    // ---- events

    private Listening received(Listening at, Json event) {
        Optional<Listening> ended = endedBy(at, event);
        if (ended.isPresent()) {
            return ended.get();
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
                return queued(at, event, append(at.heard(), i), correlated.get());
            }
        }
        return at;
    }

    /** The progress after an event of {@code until}; empty for other events. */
    private Optional<Listening> endedBy(Listening at, Json event) {
        TaskKind.Events until = listen.untilEvents();
        if (until == null) {
            return Optional.empty();
        }
        List<TaskKind.Filter> filters = until.filters();
        for (int i = 0; i < filters.size(); i++) {
            boolean open = !at.until().contains(i);
            if (open && matches(filters.get(i), event, at.correlated()).isPresent()) {
                List<Integer> matched = append(at.until(), i);
                boolean closed = until.strategy() != Strategy.ALL || matched.size() == filters.size();
                return Optional.of(at.with().until(matched).closed(closed).build());
            }
        }
        return Optional.empty();
    }

    private Listening queued(Listening at, Json event, List<Integer> matched, Json correlated) {
        if (at.outputs().size() + at.queue().size() >= MAX_EVENTS) {
            throw new TaskFailure(run.error(
                    Standard.RUNTIME, "'" + run.task().name() + "' heard more than " + MAX_EVENTS + " events"));
        }
        Json value = listen.read() == TaskKind.Read.ENVELOPE ? event : event.get("data");
        boolean closed = switch (listen.events().strategy()) {
            case ONE -> true;
            case ALL -> matched.size() == listen.events().filters().size();
            case ANY -> listen.until() == null && listen.untilEvents() == null;
        };
        Listening next = listen.foreach() == null
                ? at.withOutputs(append(at.outputs(), value))
                : at.withQueue(append(at.queue(), value));
        return next.with().heard(matched).correlated(correlated).closed(closed).build();
    }

    private static <T> List<T> append(List<T> items, T item) {
        var all = new ArrayList<>(items);
        all.add(item);
        return all;
    }

    // ---- tasks of events

    /** Runs the tasks of queued events until those of one wait, or the listening ends. */
    private Outcome<Frame.Work> consume(Listening before) {
        Listening at = before;
        while (true) {
            boolean isOver = listen.until() != null
                    && !at.outputs().isEmpty()
                    && run.isTrue(listen.until(), Json.of(at.outputs()));
            if (at.body() == null && (isOver || at.closed() && at.queue().isEmpty())) {
                run.draft().effect(new Effect.CancelListen(run.frame().order()));
                return new Done<>(Json.of(at.outputs()));
            }
            if (at.body() != null || at.queue().isEmpty()) {
                return new Running<>(at);
            }
            switch (run.draft().block(foreach().body(), at.queue().getFirst(), inEvent(at), path(at))) {
                case Running<Frame.Work>(Frame.Work body) -> {
                    return new Running<>(at.withBody(body));
                }
                case Failed<Frame.Work> failed -> {
                    return broken(failed);
                }
                case Done<Frame.Work> done
                when done.ends() -> {
                    return done;
                }
                case Done<Frame.Work> done -> at = consumed(at, done.output());
            }
        }
    }

    /** Removes the first event from the queue and adds the output of its tasks. */
    private Listening consumed(Listening at, Json output) {
        Json transformed = run.with(inEvent(at)).outputOfEvent(foreach(), output);
        List<Json> rest = at.queue().subList(1, at.queue().size());
        return at.with()
                .outputs(append(at.outputs(), transformed))
                .queue(rest)
                .body(null)
                .build();
    }

    private TaskKind.Foreach foreach() {
        if (listen.foreach() == null) {
            throw new IllegalStateException(run.task().pointer() + " has no tasks for events");
        }
        return listen.foreach();
    }

    private Locals inEvent(Listening at) {
        return run.locals()
                .with(foreach().item(), at.queue().getFirst())
                .with(foreach().at(), Json.of(at.outputs().size()));
    }

    private String path(Listening at) {
        return run.frame().path() + "#" + at.outputs().size() + "/foreach/do";
    }

    // ---- filters

    /** The correlation values after a matching event; empty if the event does not match. */
    private Optional<Json> matches(TaskKind.Filter filter, Json event, Json before) {
        boolean attributes = filter.with().entrySet().stream()
                .allMatch(
                        attribute -> matches(attribute.getKey(), attribute.getValue(), event.get(attribute.getKey())));
        if (!attributes) {
            return Optional.empty();
        }
        Json correlated = before;
        for (Map.Entry<String, TaskKind.Correlation> correlation :
                filter.correlate().entrySet()) {
            String name = correlation.getKey();
            Json value = run.evaluate(correlation.getValue().from(), event);
            Template expect = correlation.getValue().expect();
            Json expected = expect == null ? correlated.get(name) : run.evaluate(expect);
            boolean first = expect == null && !correlated.map().containsKey(name);
            if (!first && !expected.equals(value)) {
                return Optional.empty();
            }
            correlated = correlated.with(name, value);
        }
        return Optional.of(correlated);
    }

    /** Whether an attribute equals the value, matches the regular expression, or makes the expression true. */
    private boolean matches(String name, Template filter, Json value) {
        if (filter instanceof Template.Fixed(Json fixed)) {
            return fixed.equals(value) || !name.equals("data") && matchesRegex(fixed, value);
        }
        Json result = run.evaluate(filter, value);
        return result instanceof Json.Bool ? result.isTruthy() : result.equals(value);
    }

    private static boolean matchesRegex(Json regex, Json value) {
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
