package dev.parley.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql.Reader;
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

/** Reads the rows of a query, and columns as UUIDs, times and JSON. */
public final class Columns {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Columns() {}

    /** A reader of all rows, made of a reader of one. */
    public static <T> Reader<List<T>> list(Reader<T> row) {
        return rows -> {
            var found = new ArrayList<T>();
            while (rows.next()) {
                found.add(row.read(rows));
            }
            return found;
        };
    }

    public static <T> List<T> all(Transaction transaction, Select select, Reader<T> row) {
        return transaction.query(select.sql(), list(row), select.values().toArray());
    }

    public static <T> Optional<T> first(Transaction transaction, Select select, Reader<T> row) {
        return all(transaction, select, row).stream().findFirst();
    }

    public static UUID id(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(row.getObject(column, UUID.class), column);
    }

    public static @Nullable UUID idOrNull(ResultSet row, String column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    public static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(timeOrNull(row, column), column);
    }

    public static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** A whole number of JSON, or null where there is none. */
    public static @Nullable Integer whole(JsonNode json, String field) {
        return json.path(field).isInt() ? json.get(field).asInt() : null;
    }

    public static List<UUID> ids(ResultSet row, String column) throws SQLException {
        Array array = row.getArray(column);
        return Arrays.stream((UUID[]) array.getArray()).toList();
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
        list.forEach(each -> found.add(each.asText()));
        return List.copyOf(found);
    }
}
