package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import org.jspecify.annotations.Nullable;

/** Lexical scope: variables, functions and closures, the innermost first. */
final class Environment {
    static final Environment ROOT = new Environment(null, "", null, null, null);

    private final @Nullable Environment outer;
    private final String name;
    private final @Nullable Json variable;
    private final JqFilter.@Nullable Function function;
    private final @Nullable Closure closure;

    /** An argument: a filter with its lexical scope. */
    record Closure(JqFilter filter, Environment environment) {}

    private Environment(
            @Nullable Environment outer,
            String name,
            @Nullable Json variable,
            JqFilter.@Nullable Function function,
            @Nullable Closure closure) {
        this.outer = outer;
        this.name = name;
        this.variable = variable;
        this.function = function;
        this.closure = closure;
    }

    Environment withVariable(String variableName, Json value) {
        return new Environment(this, variableName, value, null, null);
    }

    Environment withFunction(JqFilter.Function defined) {
        return new Environment(this, defined.key(), null, defined, null);
    }

    Environment withClosure(String parameter, Closure argument) {
        return new Environment(this, parameter + "/0", null, null, argument);
    }

    /** The value of a variable. */
    Json variable(String variableName) {
        for (Environment scope = this; scope != null; scope = scope.outer) {
            if (scope.variable != null && scope.name.equals(variableName)) {
                return scope.variable;
            }
        }
        throw new JqException("$" + variableName + " is not defined");
    }

    /** The scope that defines a function or argument, or null for a builtin function. */
    @Nullable
    Environment definition(String key) {
        for (Environment scope = this; scope != null; scope = scope.outer) {
            if ((scope.function != null || scope.closure != null) && scope.name.equals(key)) {
                return scope;
            }
        }
        return null;
    }

    JqFilter.@Nullable Function function() {
        return function;
    }

    @Nullable
    Closure closure() {
        return closure;
    }
}
