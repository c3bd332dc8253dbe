package dev.parley.workflows.engine;

import com.google.re2j.Pattern;
import dev.parley.platform.regex.Regex;
import dev.parley.workflows.definition.Task;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.engine.Outcome.Done;
import dev.parley.workflows.engine.Outcome.Running;
import dev.parley.workflows.engine.WorkflowError.Standard;
import dev.parley.workflows.expression.Template;
import dev.parley.workflows.json.Json;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/** What a task that listens makes of an event. */
record Hearing(Run run, TaskKind.Listen listen, Task task, Frame frame, Locals locals) {
    private static final int MOST_EVENTS = 1_000;

    /** Takes an event where it is one that is waited for. */
    Outcome<Frame.Work> heard(Frame.Listening at, Json event) {
        if (listen.filters().isEmpty()) {
            return taken(at, event, -1, at.correlated());
        }
        for (int i = 0; i < listen.filters().size(); i++) {
            boolean open =
                    listen.strategy() != TaskKind.Strategy.ALL || !at.heard().contains(i);
            Optional<Json> correlated =
                    open ? matches(listen.filters().get(i), event, at.correlated()) : Optional.empty();
            if (correlated.isPresent()) {
                return taken(at, event, i, correlated.get());
            }
        }
        return new Running<>(at);
    }

    private Outcome<Frame.Work> taken(Frame.Listening at, Json event, int filter, Json correlated) {
        var events = new ArrayList<>(at.events());
        events.add(listen.read() == TaskKind.Read.ENVELOPE ? event : event.get("data"));
        var heard = new ArrayList<>(at.heard());
        if (filter >= 0) {
            heard.add(filter);
        }
        if (events.size() > MOST_EVENTS) {
            throw new TaskFailure(Standard.RUNTIME.error(
                    "'" + task.name() + "' heard more than " + MOST_EVENTS + " events", task.pointer()));
        }
        Json all = Json.of(events);
        boolean enough = switch (listen.strategy()) {
            case ONE -> true;
            case ALL -> heard.size() == listen.filters().size();
            case ANY ->
                listen.until() == null
                        || run.evaluate(listen.until(), task, frame, all, locals)
                                .isTruthy();
        };
        if (!enough) {
            return new Running<>(new Frame.Listening(events, heard, correlated));
        }
        run.effect(new Effect.CancelListen(frame.order()));
        return new Done<>(all, Task.CONTINUE);
    }

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
            Json value = run.evaluate(one.getValue().from(), task, frame, event, locals);
            Template expect = one.getValue().expect();
            Json expected = expect == null
                    ? correlated.get(one.getKey())
                    : run.evaluate(expect, task, frame, frame.input(), locals);
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
        Json result = run.evaluate(asked, task, frame, value, locals);
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
