package dev.parley.workflows.expression;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Data visible to an expression.
 *
 * @param data the value of {@code .}
 * @param variables by name, without {@code $}; evaluated lazily
 */
public record Scope(Json data, Map<String, Supplier<Json>> variables) {
    /** The value of a variable, or JSON null. */
    Json variable(String name) {
        Supplier<Json> value = variables.get(name);
        return value == null ? Values.NULL : value.get();
    }
}
