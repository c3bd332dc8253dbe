package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arguments of a call, which keep to the tool's schema. */
record Arguments(ObjectNode json) {

    /** One that has to be there. */
    String text(String name) {
        return json.path(name).asText();
    }

    /** One that may be missing. */
    @Nullable
    String maybe(String name) {
        JsonNode value = json.get(name);
        return value == null || value.isNull() ? null : value.asText();
    }

    /** One that may be missing, and is something then. */
    String or(String name, String otherwise) {
        String value = maybe(name);
        return value == null ? otherwise : value;
    }

    /** Seconds. */
    Duration seconds(String name, Duration otherwise) {
        JsonNode value = json.get(name);
        return value == null || value.isNull() ? otherwise : Duration.ofSeconds(value.asLong());
    }

    /** Those of these names that are there, by the names that the API has for them. */
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
