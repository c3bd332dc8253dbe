package dev.parley.workflows.expression;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What an expression may look at.
 *
 * @param data what {@code .} is
 * @param variables by name, without {@code $}; each is made when it is asked for
 */
public record Scope(Json data, Map<String, Supplier<Json>> variables) {
    /** The value of a variable; null where there is none. */
    Json variable(String name) {
        Supplier<Json> value = variables.get(name);
        return value == null ? Values.NULL : value.get();
    }
}
