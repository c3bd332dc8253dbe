package dev.parley.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool call, checked against its schema. */
record McpArguments(ObjectNode json) {

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

    /** The present arguments of these names. */
    ObjectNode body(String... names) {
        ObjectNode body = McpJson.object();
        for (String name : names) {
            copy(name, name, body);
        }
        return body;
    }

    /** Copies an argument, if present, to a field of the body. */
    ObjectNode copy(String name, String field, ObjectNode body) {
        if (json.hasNonNull(name)) {
            body.set(field, json.path(name));
        }
        return body;
    }
}
