package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Evaluates a filter on a value. Results are passed to a sink one by one, with their paths if paths are requested. */
final class JqInterpreter {
    private static final JqFilter IDENTITY = new JqFilter.Identity();

    private final EvaluationLimits budget;

    JqInterpreter(EvaluationLimits budget) {
        this.budget = budget;
    }

    /** Receives the results of a filter. */
    interface Sink {
        /** @param path of the value; null if paths are not requested */
        void take(Json value, @Nullable Path path);
    }

    /** Stops an evaluation, or a part of it, when no more results are needed. */
    static final class StopEvaluation extends RuntimeException {
        StopEvaluation() {
            super(null, null, false, false);
        }
    }

    /** Jumps out of a label. */
    static final class Break extends RuntimeException {
        private final Json label;

        Break(Json label) {
            super(null, null, false, false);
            this.label = label;
        }
    }

    EvaluationLimits budget() {
        return budget;
    }

    /**
     * Evaluates a filter.
     *
     * @param path of the value, or null if paths are not requested
     */
    void run(JqFilter filter, Environment env, Json in, @Nullable Path path, Sink out) {
        budget.enter();
        try {
            switch (filter) {
                case JqFilter.Identity _ -> out.take(in, path);
                case JqFilter.Literal(Json value) -> out.take(value, noPath(path, value));
                case JqFilter.Pipe(JqFilter left, JqFilter right) ->
                    run(left, env, in, path, (value, valuePath) -> run(right, env, value, valuePath, out));
                case JqFilter.Comma(JqFilter left, JqFilter right) -> {
                    run(left, env, in, path, out);
                    run(right, env, in, path, out);
                }
                case JqFilter.Index index -> index(index, env, in, path, out);
                case JqFilter.Slice slice -> slice(slice, env, in, path, out);
                case JqFilter.Iterate(JqFilter target) ->
                    run(target, env, in, path, (value, valuePath) -> iterate(value, valuePath, out));
                case JqFilter.Recurse _ -> recurse(in, path, out);
                case JqFilter.Variable(String name) -> {
                    Json value = env.variable(name);
                    out.take(value, noPath(path, value));
                }
                case JqFilter.Call call -> call(call, env, in, path, out);
                case JqFilter.If choice ->
                    run(choice.condition(), env, in, null, (value, _) -> {
                        run(value.isTruthy() ? choice.then() : choice.otherwise(), env, in, path, out);
                    });
                case JqFilter.Alternative(JqFilter left, JqFilter right) ->
                    alternative(left, right, env, in, path, out);
                case JqFilter.Try attempt -> attempt(attempt, env, in, path, out);
                case JqFilter.Reduce reduce -> reduce(reduce, env, in, path, out);
                case JqFilter.Foreach foreach -> foreach(foreach, env, in, path, out);
                case JqFilter.Bind bind -> bind(bind, env, in, path, out);
                case JqFilter.Define(JqFilter.Function function, JqFilter body) ->
                    run(body, env.withFunction(function), in, path, out);
                case JqFilter.Label(String name, JqFilter body) -> label(name, body, env, in, path, out);
                case JqFilter.Break(String name) -> throw new Break(env.variable(name));
                default -> compute(filter, env, in, value -> out.take(budget.checkValue(value), noPath(path, value)));
            }
        } finally {
            budget.leave();
        }
    }

    /** Filters whose results are computed values, without a path. */
    private void compute(JqFilter filter, Environment env, Json in, Consumer<Json> out) {
        switch (filter) {
            case JqFilter.Binary(String operator, JqFilter left, JqFilter right) ->
                run(right, env, in, null, (b, _) -> {
                    run(left, env, in, null, (a, _) -> out.accept(Arithmetic.apply(operator, a, b, budget)));
                });
            case JqFilter.And(JqFilter left, JqFilter right) -> logic(left, right, false, env, in, out);
            case JqFilter.Or(JqFilter left, JqFilter right) -> logic(left, right, true, env, in, out);
            case JqFilter.Negate(JqFilter operand) ->
                run(operand, env, in, null, (value, _) -> out.accept(Arithmetic.negate(value)));
            case JqFilter.Format(String name) -> out.accept(Json.of(Formats.apply(name, in, budget)));
            case JqFilter.Interpolated(String format, List<JqFilter> parts) ->
                interpolate(format, parts, parts.size() - 1, "", env, in, out);
            case JqFilter.ArrayOf(JqFilter items) ->
                out.accept(Json.of(items == null ? List.of() : all(items, env, in)));
            case JqFilter.ObjectOf(List<JqFilter.Member> members) ->
                object(members, 0, new LinkedHashMap<>(), env, in, out);
            case JqFilter.Update update -> update(update, env, in, out);
            default -> throw new IllegalStateException(filter.toString());
        }
    }

    /** All results of a filter. */
    List<Json> all(JqFilter filter, Environment env, Json in) {
        var items = new ArrayList<Json>();
        run(filter, env, in, null, (value, _) -> {
            budget.make(1);
            items.add(value);
        });
        return items;
    }

    /** The path of a computed value, which cannot be updated. */
    static @Nullable Path noPath(@Nullable Path path, Json value) {
        return path == null ? null : new Path.Nowhere(value);
    }

    private void index(JqFilter.Index index, Environment env, Json in, @Nullable Path path, Sink out) {
        run(index.key(), env, in, null, (key, _) -> {
            run(index.target(), env, in, path, (value, valuePath) -> {
                if (key instanceof Json.Obj) {
                    bounds(key.get("start"), key.get("end"), value, valuePath, out);
                } else {
                    out.take(Paths.get(value, key), valuePath == null ? null : valuePath.child(key));
                }
            });
        });
    }

    private void slice(JqFilter.Slice slice, Environment env, Json in, @Nullable Path path, Sink out) {
        JqFilter from = slice.from() == null ? new JqFilter.Literal(Values.NULL) : slice.from();
        JqFilter to = slice.to() == null ? new JqFilter.Literal(Values.NULL) : slice.to();
        run(to, env, in, null, (end, _) -> {
            run(from, env, in, null, (start, _) -> {
                run(slice.target(), env, in, path, (value, valuePath) -> bounds(start, end, value, valuePath, out));
            });
        });
    }

    private void bounds(Json start, Json end, Json value, @Nullable Path path, Sink out) {
        Json slice = Json.of("start", start).with("end", end);
        budget.make(Paths.length(value));
        out.take(Paths.get(value, slice), path == null ? null : path.child(slice));
    }

    private void iterate(Json value, @Nullable Path path, Sink out) {
        switch (value) {
            case Json.Arr(List<Json> items) -> {
                for (int i = 0; i < items.size(); i++) {
                    budget.step(1);
                    out.take(items.get(i), path == null ? null : path.child(Json.of(i)));
                }
            }
            case Json.Obj(SequencedMap<String, Json> members) ->
                members.forEach((name, member) -> {
                    budget.step(1);
                    out.take(member, path == null ? null : path.child(Json.of(name)));
                });
            case Json.Null _, Json.Bool _, Json.Num _, Json.Str _ ->
                throw new JqException("Cannot iterate over " + Paths.describe(value));
        }
    }

    private void recurse(Json in, @Nullable Path path, Sink out) {
        budget.enter();
        try {
            out.take(in, path);
            if (in instanceof Json.Arr || in instanceof Json.Obj) {
                iterate(in, path, (value, valuePath) -> recurse(value, valuePath, out));
            }
        } finally {
            budget.leave();
        }
    }

    private void logic(JqFilter left, JqFilter right, boolean decisive, Environment env, Json in, Consumer<Json> out) {
        run(left, env, in, null, (a, _) -> {
            if (a.isTruthy() == decisive) {
                out.accept(Json.of(decisive));
            } else {
                run(right, env, in, null, (b, _) -> out.accept(Json.of(b.isTruthy())));
            }
        });
    }

    private void alternative(JqFilter left, JqFilter right, Environment env, Json in, @Nullable Path path, Sink out) {
        boolean[] found = {false};
        // An error of the left side counts as no further value.
        errorOf(
                out,
                guarded -> run(left, env, in, path, (value, valuePath) -> {
                    if (value.isTruthy()) {
                        found[0] = true;
                        guarded.take(value, valuePath);
                    }
                }));
        if (!found[0]) {
            run(right, env, in, path, out);
        }
    }

    private void attempt(JqFilter.Try attempt, Environment env, Json in, @Nullable Path path, Sink out) {
        JqException error = errorOf(out, guarded -> run(attempt.body(), env, in, path, guarded));
        if (error != null && attempt.handler() != null) {
            run(attempt.handler(), env, error.value(), null, (value, _) -> out.take(value, noPath(path, value)));
        }
    }

    /**
     * Runs a filter; returns its error, or null without one. An error of what receives its results is thrown, also
     * through other filters that run in this way.
     */
    private static @Nullable JqException errorOf(Sink out, Consumer<Sink> filter) {
        var origin = new Object();
        try {
            filter.accept((value, path) -> {
                try {
                    out.take(value, path);
                } catch (JqException e) {
                    throw new DownstreamFailure(origin, e);
                }
            });
            return null;
        } catch (DownstreamFailure e) {
            throw e.origin == origin ? e.failure : e;
        } catch (JqException e) {
            return e;
        }
    }

    /** An error of what receives the results of a filter, on its way through that filter. */
    private static final class DownstreamFailure extends RuntimeException {
        private final transient Object origin;
        private final transient JqException failure;

        /** @param origin identifies the run of the filter */
        DownstreamFailure(Object origin, JqException failure) {
            super(null, null, false, false);
            this.origin = origin;
            this.failure = failure;
        }
    }

    private void reduce(JqFilter.Reduce reduce, Environment env, Json in, @Nullable Path path, Sink out) {
        run(reduce.start(), env, in, path, (start, startPath) -> {
            var state = new State(start, startPath);
            run(reduce.source(), env, in, null, (item, _) -> {
                destructure(reduce.pattern(), item, env, in, bound -> {
                    Json before = state.value;
                    Path previousPath = state.path;
                    state.value = Values.NULL;
                    run(reduce.update(), bound, before, previousPath, state::set);
                });
            });
            out.take(state.value, state.path);
        });
    }

    private static final class State {
        private Json value;
        private @Nullable Path path;

        State(Json value, @Nullable Path path) {
            set(value, path);
        }

        final void set(Json newValue, @Nullable Path newPath) {
            value = newValue;
            path = newPath;
        }
    }

    private void foreach(JqFilter.Foreach foreach, Environment env, Json in, @Nullable Path path, Sink out) {
        JqFilter extract = foreach.extract() == null ? IDENTITY : foreach.extract();
        run(foreach.start(), env, in, path, (start, startPath) -> {
            var state = new State(start, startPath);
            run(foreach.source(), env, in, null, (item, _) -> {
                destructure(foreach.pattern(), item, env, in, bound -> {
                    run(foreach.update(), bound, state.value, state.path, (value, valuePath) -> {
                        state.set(value, valuePath);
                        run(extract, bound, value, valuePath, out);
                    });
                });
            });
        });
    }

    private void bind(JqFilter.Bind bind, Environment env, Json in, @Nullable Path path, Sink out) {
        run(bind.source(), env, in, null, (value, _) -> {
            if (bind.patterns().size() == 1) {
                JqFilter.Pattern pattern = bind.patterns().getFirst();
                destructure(pattern, value, env, in, bound -> run(bind.body(), bound, in, path, out));
            } else {
                bindAlternatives(bind, value, env, in, path, out);
            }
        });
    }

    /** {@code ?//}: binds the first pattern without an error; the variables of the other patterns are null. */
    private void bindAlternatives(
            JqFilter.Bind bind, Json value, Environment env, Json in, @Nullable Path path, Sink out) {
        List<JqFilter.Pattern> patterns = bind.patterns();
        Environment unbound = withNulls(env, JqPatterns.names(patterns));
        for (int i = 0; i < patterns.size(); i++) {
            JqFilter.Pattern pattern = patterns.get(i);
            JqException error = errorOf(
                    out,
                    guarded -> destructure(
                            pattern, value, unbound, in, bound -> run(bind.body(), bound, in, path, guarded)));
            if (error == null) {
                return;
            }
            if (i == patterns.size() - 1) {
                throw error;
            }
        }
    }

    private static Environment withNulls(Environment env, Set<String> names) {
        Environment result = env;
        for (String name : names) {
            result = result.withVariable(name, Values.NULL);
        }
        return result;
    }

    private void destructure(
            JqFilter.Pattern pattern, Json value, Environment env, Json in, Consumer<Environment> body) {
        budget.step(1);
        switch (pattern) {
            case JqFilter.Pattern.Name(String name) -> body.accept(env.withVariable(name, value));
            case JqFilter.Pattern.Items(List<JqFilter.Pattern> items) -> items(items, 0, value, env, in, body);
            case JqFilter.Pattern.Members(List<JqFilter.Pattern.Part> parts) -> parts(parts, 0, value, env, in, body);
        }
    }

    private void items(
            List<JqFilter.Pattern> items, int next, Json value, Environment env, Json in, Consumer<Environment> body) {
        if (next == items.size()) {
            body.accept(env);
            return;
        }
        if (!value.isNull() && !(value instanceof Json.Arr)) {
            throw new JqException("Cannot index " + value.type() + " with number");
        }
        Json item = next < value.list().size() ? value.list().get(next) : Values.NULL;
        destructure(items.get(next), item, env, in, bound -> items(items, next + 1, value, bound, in, body));
    }

    private void parts(
            List<JqFilter.Pattern.Part> parts,
            int next,
            Json value,
            Environment env,
            Json in,
            Consumer<Environment> body) {
        if (next == parts.size()) {
            body.accept(env);
            return;
        }
        JqFilter.Pattern.Part part = parts.get(next);
        run(part.name(), env, in, null, (name, _) -> {
            if (!(name instanceof Json.Str)) {
                throw new JqException("Cannot index " + value.type() + " with " + name.type());
            }
            Json member = Paths.get(value, name);
            Environment bound = part.variable() == null ? env : env.withVariable(part.variable(), member);
            if (part.value() == null) {
                parts(parts, next + 1, value, bound, in, body);
            } else {
                destructure(part.value(), member, bound, in, inner -> parts(parts, next + 1, value, inner, in, body));
            }
        });
    }

    private void label(String name, JqFilter body, Environment env, Json in, @Nullable Path path, Sink out) {
        Json label = Json.of(new ArrayList<>()); // compared by identity
        try {
            run(body, env.withVariable(name, label), in, path, out);
        } catch (Break e) {
            if (e.label != label) {
                throw e;
            }
        }
    }

    private void call(JqFilter.Call call, Environment env, Json in, @Nullable Path path, Sink out) {
        String key = call.name() + "/" + call.arguments().size();
        Environment definition = env.definition(key);
        if (definition == null) {
            JqFilter.Function function = Builtins.PRELUDE.get(key);
            if (function == null) {
                Builtins.call(key, new Invocation(this, call.arguments(), env, in, path, out));
            } else {
                invoke(function, Environment.ROOT, call.arguments(), env, in, path, out);
            }
            return;
        }
        Environment.Closure closure = definition.closure();
        if (closure != null) {
            run(closure.filter(), closure.environment(), in, path, out);
        } else {
            invoke(Objects.requireNonNull(definition.function()), definition, call.arguments(), env, in, path, out);
        }
    }

    private void invoke(
            JqFilter.Function function,
            Environment definition,
            List<JqFilter> arguments,
            Environment env,
            Json in,
            @Nullable Path path,
            Sink out) {
        invoke(function, definition, 0, arguments, env, in, path, out);
    }

    /** Binds the remaining arguments; an argument for a {@code $parameter} can have several values. */
    private void invoke(
            JqFilter.Function function,
            Environment bound,
            int next,
            List<JqFilter> arguments,
            Environment env,
            Json in,
            @Nullable Path path,
            Sink out) {
        if (next == arguments.size()) {
            run(function.body(), bound, in, path, out);
            return;
        }
        String parameter = function.parameters().get(next);
        JqFilter argument = arguments.get(next);
        if (!parameter.startsWith("$")) {
            var closure = new Environment.Closure(argument, env);
            invoke(function, bound.withClosure(parameter, closure), next + 1, arguments, env, in, path, out);
            return;
        }
        String name = parameter.substring(1);
        run(argument, env, in, null, (value, _) -> {
            var closure = new Environment.Closure(new JqFilter.Literal(value), Environment.ROOT);
            Environment extended = bound.withVariable(name, value).withClosure(name, closure);
            invoke(function, extended, next + 1, arguments, env, in, path, out);
        });
    }

    private void interpolate(
            @Nullable String format,
            List<JqFilter> parts,
            int last,
            String after,
            Environment env,
            Json in,
            Consumer<Json> out) {
        if (last < 0) {
            out.accept(Json.of(after));
            return;
        }
        boolean fixed = last % 2 == 0;
        run(parts.get(last), env, in, null, (value, _) -> {
            String text = fixed || format == null ? value.display() : Formats.apply(format, value, budget);
            budget.make((long) text.length() + after.length());
            interpolate(format, parts, last - 1, text + after, env, in, out);
        });
    }

    private void object(
            List<JqFilter.Member> members,
            int next,
            SequencedMap<String, Json> before,
            Environment env,
            Json in,
            Consumer<Json> out) {
        if (next == members.size()) {
            budget.make(before.size() + 1L);
            out.accept(Json.of(new LinkedHashMap<>(before)));
            return;
        }
        JqFilter.Member member = members.get(next);
        run(member.name(), env, in, null, (name, _) -> {
            if (!(name instanceof Json.Str(String text))) {
                throw new JqException("Object keys must be strings, not " + Paths.describe(name));
            }
            run(member.value(), env, in, null, (value, _) -> {
                Json previous = before.put(text, value);
                object(members, next + 1, before, env, in, out);
                if (previous == null) {
                    before.remove(text);
                } else {
                    before.put(text, previous);
                }
            });
        });
    }

    private void update(JqFilter.Update update, Environment env, Json in, Consumer<Json> out) {
        if (update.operator().equals("|")) {
            out.accept(updateFirst(update.target(), update.value(), env, in));
            return;
        }
        run(update.value(), env, in, null, (value, _) -> {
            out.accept(changeAll(update.target(), env, in, old -> switch (update.operator()) {
                case "" -> value;
                case "//" -> old.isTruthy() ? old : value;
                default -> Arithmetic.apply(update.operator(), old, value, budget);
            }));
        });
    }

    private Json changeAll(JqFilter target, Environment env, Json in, UnaryOperator<Json> change) {
        Json changed = in;
        for (Json path : paths(target, env, in)) {
            changed = Paths.set(changed, path.list(), 0, change.apply(Paths.at(changed, path)), budget);
        }
        return changed;
    }

    /** {@code target |= value}: sets the first result; without a result the path is deleted. */
    private Json updateFirst(JqFilter target, JqFilter value, Environment env, Json in) {
        Json changed = in;
        var deleted = new ArrayList<Json>();
        for (Json path : paths(target, env, in)) {
            Json first = first(value, env, Paths.at(changed, path));
            if (first == null) {
                deleted.add(path);
            } else {
                changed = Paths.set(changed, path.list(), 0, first, budget);
            }
        }
        return Paths.delete(changed, deleted, budget);
    }

    /** The first result of a filter, or null. */
    @Nullable
    Json first(JqFilter filter, Environment env, Json in) {
        var found = new ArrayList<Json>(1);
        var stop = new StopEvaluation();
        try {
            run(filter, env, in, null, (value, _) -> {
                found.add(value);
                throw stop;
            });
        } catch (StopEvaluation e) {
            if (e != stop) {
                throw e;
            }
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The paths of a filter's results, as arrays. */
    List<Json> paths(JqFilter target, Environment env, Json in) {
        var paths = new ArrayList<Json>();
        run(target, env, in, new Path.Start(), (_, path) -> {
            budget.make(4);
            paths.add(Objects.requireNonNull(path).toJson());
        });
        return paths;
    }

    /** Parses JSON text from an expression. */
    Json parse(String text) {
        budget.make(text.length());
        try {
            return JsonText.read(text);
        } catch (IllegalArgumentException e) {
            throw new JqException(e.getMessage() + " (while parsing '" + text + "')");
        }
    }
}
