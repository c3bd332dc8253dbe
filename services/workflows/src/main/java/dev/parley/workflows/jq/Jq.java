package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A compiled jq expression; thread-safe. */
public final class Jq {
    private static final int MAX_LENGTH = 20_000;

    private final String text;
    private final JqFilter filter;
    private final Set<String> variables;

    private Jq(String text, JqFilter filter, Set<String> variables) {
        this.text = text;
        this.filter = filter;
        this.variables = variables;
    }

    /**
     * Limits of an evaluation.
     *
     * @param steps of the interpreter; about ten per microsecond
     * @param size of all created values, in characters and items
     * @param depth nesting of filters, including those of called functions
     */
    public record Limits(long steps, long size, int depth) {
        /** Limits of workflow expressions: less than 50 ms and 64 MB. */
        public static final Limits STANDARD = new Limits(200_000, 2_000_000, 400);
    }

    /**
     * Compiles an expression.
     *
     * @param variables known variables, without {@code $}
     * @throws JqSyntaxException if it is not valid jq, or uses an unknown variable or function
     */
    public static Jq compile(String text, Set<String> variables) {
        if (text.length() > MAX_LENGTH) {
            throw new JqSyntaxException("an expression has at most " + MAX_LENGTH + " characters", MAX_LENGTH);
        }
        JqFilter filter = Parser.parse(text, variables);
        return new Jq(
                text,
                filter,
                variables.stream().filter(name -> mentions(text, name)).collect(Collectors.toSet()));
    }

    private static boolean mentions(String text, String variable) {
        return text.contains("$" + variable) || variable.equals("now") && text.contains(variable);
    }

    /** The variables that the expression uses. */
    public Set<String> variables() {
        return variables;
    }

    /**
     * All results for a value.
     *
     * @throws JqException if it fails
     * @throws JqLimitException if it exceeds the limits
     */
    public List<Json> evaluate(Json input, Map<String, Json> variables, Limits limits) {
        var results = new ArrayList<Json>();
        run(input, variables, limits, results::add);
        return results;
    }

    /**
     * The first result for a value; JSON null without one.
     *
     * @throws JqException if it fails
     * @throws JqLimitException if it exceeds the limits
     */
    public Json first(Json input, Map<String, Json> variables, Limits limits) {
        var results = new ArrayList<Json>(1);
        run(input, variables, limits, value -> {
            results.add(value);
            throw new JqInterpreter.StopEvaluation();
        });
        return results.isEmpty() ? Values.NULL : results.getFirst();
    }

    private void run(Json input, Map<String, Json> variables, Limits limits, Consumer<Json> results) {
        var environment = Environment.ROOT;
        for (var variable : variables.entrySet()) {
            environment = environment.withVariable(variable.getKey(), variable.getValue());
        }
        try {
            new JqInterpreter(new EvaluationLimits(limits))
                    .run(filter, environment, input, null, (value, _) -> results.accept(value));
        } catch (JqInterpreter.StopEvaluation _) {
            // no more results are needed
        } catch (JqInterpreter.Break _) {
            throw new JqException("break");
        } catch (StackOverflowError e) {
            throw new JqLimitException("the expression, or a value that it makes, is nested too deeply");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
