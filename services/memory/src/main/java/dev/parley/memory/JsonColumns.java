package dev.parley.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads JSON columns, and the members of JSON objects. */
public final class JsonColumns {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonColumns() {}

    /** An integer of a JSON object, or null if it is absent. */
    public static @Nullable Integer whole(JsonNode json, String field) {
        return json.path(field).isInt() ? json.get(field).asInt() : null;
    }

    public static JsonNode json(ResultSet row, String column) throws SQLException {
        try {
            return JSON.readTree(row.getString(column));
        } catch (JsonProcessingException e) {
            throw new SQLException("the column " + column + " does not hold JSON", e);
        }
    }

    public static @Nullable String text(JsonNode json, String name) {
        return json.path(name).textValue();
    }

    public static @Nullable UUID id(JsonNode json, String name) {
        String text = text(json, name);
        return text == null ? null : UUID.fromString(text);
    }

    public static @Nullable Instant time(JsonNode json, String name) {
        String text = text(json, name);
        return text == null ? null : Instant.parse(text);
    }

    public static List<String> texts(JsonNode json, String name) {
        return texts(json.path(name));
    }

    public static List<String> texts(JsonNode list) {
        var found = new ArrayList<String>();
        list.forEach(element -> found.add(element.asText()));
        return List.copyOf(found);
    }
}
