package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call, checked against its schema. */
record Arguments(ObjectNode json) {

    /** A required argument. */
    String text(String name) {
        return json.path(name).asText();
    }

    /** An optional argument. */
    @Nullable
    String maybe(String name) {
        JsonNode value = json.get(name);
        return value == null || value.isNull() ? null : value.asText();
    }

    /** An optional argument with a default. */
    String or(String name, String defaultValue) {
        String value = maybe(name);
        return value == null ? defaultValue : value;
    }

    /** Seconds. */
    Duration seconds(String name, Duration defaultValue) {
        JsonNode value = json.get(name);
        return value == null || value.isNull() ? defaultValue : Duration.ofSeconds(value.asLong());
    }

    /** The present arguments of these names, under their names in the API. */
    ObjectNode body(Map<String, String> fields) {
        ObjectNode body = Json.object();
        fields.forEach((name, field) -> {
            JsonNode value = json.get(name);
            if (value != null && !value.isNull()) {
                body.set(field, value);
            }
        });
        return body;
    }
}
