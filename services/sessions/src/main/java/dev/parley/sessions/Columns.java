package dev.parley.sessions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.platform.database.Sql.Reader;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the rows of a query, and columns as UUIDs, times and JSON. */
public final class Columns {
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

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

    /** The id in a column that is not null. */
    public static UUID uuid(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(uuidOrNull(row, column), column);
    }

    public static @Nullable UUID uuidOrNull(ResultSet row, String column) throws SQLException {
        return row.getObject(column, UUID.class);
    }

    /** The time in a column that is not null. */
    public static Instant time(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(timeOrNull(row, column), column);
    }

    public static @Nullable Instant timeOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** The value of a JSON column, or null. Unknown fields are ignored. */
    public static <T> @Nullable T json(ResultSet row, String column, TypeReference<T> type) throws SQLException {
        String text = row.getString(column);
        try {
            return text == null ? null : JSON.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw new SQLException("the column " + column + " does not hold the expected JSON", e);
        }
    }
}
