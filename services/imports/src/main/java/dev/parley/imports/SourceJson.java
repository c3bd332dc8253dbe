package dev.parley.imports;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import org.jspecify.annotations.Nullable;

/** JSON in columns of other systems. */
final class SourceJson {
    private static final ObjectMapper JSON = JsonMappers.stored();

    private SourceJson() {}

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** A message in the format {@code rows}. */
    static ObjectNode row(String kind, ObjectNode data) {
        ObjectNode row = object().put("kind", kind);
        row.set("data", data);
        return row;
    }

    /** The JSON of a text; missing where the text is empty or not valid. */
    static JsonNode read(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return MissingNode.getInstance();
        }
        try {
            JsonNode read = JSON.readTree(text);
            return read == null ? MissingNode.getInstance() : read;
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /** Puts a text unless it is blank. */
    static void put(ObjectNode object, String field, @Nullable String text) {
        if (text != null && !text.isBlank()) {
            object.put(field, text);
        }
    }

    /** The value of the first of these fields that has one; missing without any. */
    static JsonNode first(JsonNode object, String... fields) {
        for (String field : fields) {
            if (object.hasNonNull(field)) {
                return object.get(field);
            }
        }
        return MissingNode.getInstance();
    }
}
