package dev.parley.memory.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Transaction;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of the tables, and their columns. */
final class Columns {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Columns() {}

    /** Makes a value of the row that the result stands on. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(ResultSet row) throws SQLException;
    }

    static <T> List<T> all(Transaction transaction, Select select, Mapper<T> mapper) {
        return transaction.query(
                select.sql(),
                row -> {
                    var found = new ArrayList<T>();
                    while (row.next()) {
                        found.add(mapper.map(row));
                    }
                    return found;
                },
                select.values().toArray());
    }

    static <T> Optional<T> first(Transaction transaction, Select select, Mapper<T> mapper) {
        return all(transaction, select, mapper).stream().findFirst();
    }

    static UUID id(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getObject(column, UUID.class), column);
    }

    static @Nullable UUID idOrNull(ResultSet row, String column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(timeOrNull(row, column), column);
    }

    static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** A whole number of JSON, or null where there is none. */
    static @Nullable Integer whole(JsonNode json, String field) {
        return json.path(field).isInt() ? json.get(field).asInt() : null;
    }

    static List<UUID> ids(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return Arrays.stream((UUID[]) array.getArray()).toList();
    }

    static JsonNode json(ResultSet row, String column) throws SQLException {
        try {
            return JSON.readTree(row.getString(column));
        } catch (JsonProcessingException e) {
            throw new SQLException(column + " is no JSON", e);
        }
    }

    static @Nullable String text(JsonNode json, String name) {
        return json.path(name).textValue();
    }

    static @Nullable UUID id(JsonNode json, String name) {
        String text = text(json, name);
        return text == null ? null : UUID.fromString(text);
    }

    static @Nullable Instant time(JsonNode json, String name) {
        String text = text(json, name);
        return text == null ? null : Instant.parse(text);
    }

    static List<String> texts(JsonNode json, String name) {
        return texts(json.path(name));
    }

    static List<String> texts(JsonNode list) {
        var found = new ArrayList<String>();
        list.forEach(each -> found.add(each.asText()));
        return List.copyOf(found);
    }
}
