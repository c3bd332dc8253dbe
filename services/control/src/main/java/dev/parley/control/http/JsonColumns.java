package dev.parley.control.http;

import dev.parley.platform.http.ApiException;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.json.StorableJson;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads JSON of columns, and writes JSON that Postgres can store. */
public final class JsonColumns {
    private static final JsonMapper JSON = JsonMappers.bodies();

    private JsonColumns() {}

    /** A JSON text as a tree. */
    public static JsonNode tree(String json) {
        return parse(json, JsonNode.class);
    }

    /** The members of a JSON object. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(String json) {
        return parse(json, Map.class);
    }

    private static <T> T parse(String json, Class<T> type) {
        try {
            return Objects.requireNonNull(JSON.readValue(json, type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A required member of a JSON object. */
    public static JsonNode member(JsonNode json, String name) {
        return Objects.requireNonNull(json.get(name), name);
    }

    /** A text in JSON, or null. */
    public static @Nullable String text(JsonNode json, String name) {
        JsonNode value = json.get(name);
        return value == null || value.isNull() ? null : value.getStringValue();
    }

    /**
     * JSON as text, for a column.
     *
     * @throws ApiException 400 where it contains an unpaired surrogate
     */
    public static String text(JsonNode json) {
        try {
            return JSON.writeValueAsString(json);
        } catch (IOException e) { // a tree in memory fails only on this
            throw ApiException.badRequest("invalid_text", "A text contains an unpaired surrogate");
        }
    }

    /**
     * JSON as text, for a column of any JSON.
     *
     * @throws ApiException 400 where Postgres cannot store a text in it
     */
    public static String storable(JsonNode json) {
        String text = text(json);
        if (StorableJson.hasNul(text)) {
            throw ApiException.badRequest(
                    "invalid_text", "A text contains the character U+0000, which cannot be stored");
        }
        return text;
    }
}
