package dev.parley.channels.web;

import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Values of JSON that other systems wrote. */
final class ForeignJson {
    private ForeignJson() {}

    /** The values of an array; none for anything else. */
    static List<JsonNode> elements(@Nullable JsonNode array) {
        return array == null || !array.isArray()
                ? List.of()
                : StreamSupport.stream(array.values().spliterator(), false).toList();
    }

    /** @throws IllegalArgumentException if the field is not a text */
    static String text(@Nullable JsonNode object, String field) {
        String text = maybe(object, field);
        if (text == null) {
            throw new IllegalArgumentException("its " + field + " is missing");
        }
        return text;
    }

    /** The text of a field, or null. */
    static @Nullable String maybe(@Nullable JsonNode object, String field) {
        return object == null || !object.isObject() ? null : string(object.get(field));
    }

    /** A text, or null for anything else. */
    static @Nullable String string(@Nullable JsonNode value) {
        return value == null || !value.isString() ? null : value.getStringValue();
    }

    static String write(JsonMapper json, JsonNode value) {
        try {
            return json.writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
