package dev.parley.workflows.definition;

import dev.parley.platform.schema.JsonSchema;
import dev.parley.workflows.json.Json;
import java.util.List;

/**
 * A compiled JSON Schema.
 *
 * @param source its JSON in the definition
 */
public record Schema(Json source, JsonSchema compiled) {
    /**
     * Reads a JSON Schema.
     *
     * @throws IllegalArgumentException if the JSON is not a schema
     */
    public static Schema of(Json source) {
        return new Schema(source, JsonSchema.of(source.toString()));
    }

    /** Violations; empty if the value is valid. */
    public List<String> errors(Json value) {
        return compiled.errors(value.toString());
    }

    /** The object with the defaults of missing properties. */
    public Json fillDefaults(Json value) {
        Json completed = value;
        if (value instanceof Json.Obj) {
            for (var property : source.get("properties").map().entrySet()) {
                Json defaultValue = property.getValue().get("default");
                boolean isMissing = !completed.map().containsKey(property.getKey());
                if (isMissing && property.getValue().map().containsKey("default")) {
                    completed = completed.with(property.getKey(), defaultValue);
                }
            }
        }
        return completed;
    }
}
