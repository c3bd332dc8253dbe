package dev.parley.workflows.engine;

import com.google.re2j.Pattern;
import dev.parley.platform.regex.Regex;
import dev.parley.workflows.definition.TaskKind;
import dev.parley.workflows.definition.TaskKind.Strategy;
import dev.parley.workflows.engine.Frame.Listening;
import dev.parley.workflows.engine.StepOutcome.Done;
import dev.parley.workflows.engine.StepOutcome.Failed;
import dev.parley.workflows.engine.StepOutcome.Running;
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

    StepOutcome<Frame.Work> begin() {
        Frame frame = run.frame();
        run.draft().effect(new ProcessEffect.Listen(frame.order(), frame.pointer(), listen.types()));
        return new Running<>(Listening.BEGUN);
    }

    StepOutcome<Frame.Work> resume(Listening before, ProcessInput input) {
        Listening progress = before;
        if (progress.body() != null) {
            switch (run.draft().resume(foreach().body(), progress.body(), input, inEvent(progress), path(progress))) {
                case Running<Frame.Work>(Frame.Work body) -> progress = progress.withBody(body);
                case Failed<Frame.Work> failed -> {
                    return failAndUnsubscribe(failed);
                }
                case Done<Frame.Work> done
                when done.ends() -> {
                    return done;
                }
                case Done<Frame.Work> done -> progress = consumeFirst(progress, done.output());
            }
        }
        if (input instanceof ProcessInput.Event(Json event) && !progress.closed()) {
            progress = onEvent(progress, event);
        }
        return consume(progress);
    }

    /** Unsubscribes after a failure; a repair starts over. */
    private StepOutcome<Frame.Work> failAndUnsubscribe(Failed<Frame.Work> failed) {
        run.draft().effect(new ProcessEffect.CancelListen(run.frame().order()));
        return new Failed<>(failed.error());
    }

    private Listening onEvent(Listening progress, Json event) {
        Optional<Listening> ended = matchUntil(progress, event);
        if (ended.isPresent()) {
            return ended.get();
        }
        List<TaskKind.Filter> filters = listen.events().filters();
        if (filters.isEmpty()) {
            return enqueue(progress, event, progress.heard(), progress.correlated());
        }
        for (int i = 0; i < filters.size(); i++) {
            boolean open = listen.events().strategy() != Strategy.ALL
                    || !progress.heard().contains(i);
            Optional<Json> correlated = open ? matches(filters.get(i), event, progress.correlated()) : Optional.empty();
            if (correlated.isPresent()) {
                return enqueue(progress, event, append(progress.heard(), i), correlated.get());
            }
        }
        return progress;
    }

    /** The progress after an event of {@code until}; empty for other events. */
    private Optional<Listening> matchUntil(Listening progress, Json event) {
        TaskKind.Events until = listen.untilEvents();
        if (until == null) {
            return Optional.empty();
        }
        List<TaskKind.Filter> filters = until.filters();
        for (int i = 0; i < filters.size(); i++) {
            boolean open = !progress.until().contains(i);
            if (open && matches(filters.get(i), event, progress.correlated()).isPresent()) {
                List<Integer> matched = append(progress.until(), i);
                boolean closed = until.strategy() != Strategy.ALL || matched.size() == filters.size();
                return Optional.of(progress.with().until(matched).closed(closed).build());
            }
        }
        return Optional.empty();
    }

    private Listening enqueue(Listening progress, Json event, List<Integer> matched, Json correlated) {
        if (progress.outputs().size() + progress.queue().size() >= MAX_EVENTS) {
            throw new TaskFailure(run.error(
                    Standard.RUNTIME, "'" + run.task().name() + "' received more than " + MAX_EVENTS + " events"));
        }
        Json value = listen.read() == TaskKind.Read.ENVELOPE ? event : event.get("data");
        boolean closed = switch (listen.events().strategy()) {
            case ONE -> true;
            case ALL -> matched.size() == listen.events().filters().size();
            case ANY -> listen.until() == null && listen.untilEvents() == null;
        };
        Listening next = listen.foreach() == null
                ? progress.withOutputs(append(progress.outputs(), value))
                : progress.withQueue(append(progress.queue(), value));
        return next.with().heard(matched).correlated(correlated).closed(closed).build();
    }

    private static <T> List<T> append(List<T> items, T item) {
        var appended = new ArrayList<>(items);
        appended.add(item);
        return appended;
    }

    /** Runs the tasks of queued events until the tasks of an event wait, or the listening ends. */
    private StepOutcome<Frame.Work> consume(Listening before) {
        Listening progress = before;
        while (true) {
            if (progress.body() == null && isOver(progress)) {
                run.draft().effect(new ProcessEffect.CancelListen(run.frame().order()));
                return new Done<>(Json.of(progress.outputs()));
            }
            if (progress.body() != null || progress.queue().isEmpty()) {
                return new Running<>(progress);
            }
            StepOutcome<Frame.Work> outcome =
                    run.draft().block(foreach().body(), progress.queue().getFirst(), inEvent(progress), path(progress));
            if (!(outcome instanceof Done<Frame.Work> done) || done.ends()) {
                return onUnfinished(progress, outcome);
            }
            progress = consumeFirst(progress, done.output());
        }
    }

    /** Whether the condition {@code until} is true, or no events are expected or queued. */
    private boolean isOver(Listening progress) {
        return listen.until() != null
                        && !progress.outputs().isEmpty()
                        && run.isTrue(listen.until(), Json.of(progress.outputs()))
                || progress.closed() && progress.queue().isEmpty();
    }

    private StepOutcome<Frame.Work> onUnfinished(Listening progress, StepOutcome<Frame.Work> outcome) {
        return switch (outcome) {
            case Running<Frame.Work>(Frame.Work body) -> new Running<>(progress.withBody(body));
            case Failed<Frame.Work> failed -> failAndUnsubscribe(failed);
            case Done<Frame.Work> done -> done;
        };
    }

    /** Removes the first event from the queue and adds the output of its tasks. */
    private Listening consumeFirst(Listening progress, Json output) {
        Json transformed = run.with(inEvent(progress)).outputOfEvent(foreach(), output);
        List<Json> remaining = progress.queue().subList(1, progress.queue().size());
        return progress.with()
                .outputs(append(progress.outputs(), transformed))
                .queue(remaining)
                .body(null)
                .build();
    }

    private TaskKind.Foreach foreach() {
        if (listen.foreach() == null) {
            throw new IllegalStateException(run.task().pointer() + " has no tasks for events");
        }
        return listen.foreach();
    }

    private Locals inEvent(Listening progress) {
        return run.locals()
                .with(foreach().item(), progress.queue().getFirst())
                .with(foreach().at(), Json.of(progress.outputs().size()));
    }

    private String path(Listening progress) {
        return run.frame().path() + "#" + progress.outputs().size() + "/foreach/do";
    }

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
