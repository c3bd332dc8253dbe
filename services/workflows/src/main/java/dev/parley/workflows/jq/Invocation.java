package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call of a builtin function while it is evaluated.
 *
 * @param in the value that the function is applied to
 * @param path of that value; null if paths are not requested
 * @param out takes the results
 */
record Invocation(
        JqInterpreter interpreter,
        List<JqFilter> arguments,
        Environment env,
        Json in,
        @Nullable Path path,
        JqInterpreter.Sink out) {
    /** Evaluates an argument. */
    void each(int argument, Consumer<Json> action) {
        interpreter.run(arguments.get(argument), env, in, null, (value, _) -> action.accept(value));
    }

    /** Evaluates an argument for its values and their paths. */
    void run(int argument, JqInterpreter.Sink sink) {
        interpreter.run(arguments.get(argument), env, in, path, sink);
    }

    /** The first value of an argument for a value, or null. */
    @Nullable
    Json first(int argument, Json value) {
        return interpreter.first(arguments.get(argument), env, value);
    }

    boolean isTrue(int argument, Json value) {
        Json first = first(argument, value);
        return first != null && first.isTruthy();
    }

    /** Emits a value without a path. */
    void emit(Json value) {
        out.take(value, JqInterpreter.noPath(path, value));
    }

    /** Applies a function to each combination of the arguments' values; those of the last argument change slowest. */
    void apply(Builtins.Plain function, Consumer<Json> results) {
        apply(function, arguments.size() - 1, List.of(), results);
    }

    private void apply(Builtins.Plain function, int next, List<Json> values, Consumer<Json> results) {
        if (next < 0) {
            EvaluationLimits limits = interpreter.budget();
            results.accept(limits.checkValue(function.apply(in, values, limits)));
            return;
        }
        each(next, value -> {
            var extended = new ArrayList<Json>(values.size() + 1);
            extended.add(value);
            extended.addAll(values);
            apply(function, next - 1, extended, results);
        });
    }
}
