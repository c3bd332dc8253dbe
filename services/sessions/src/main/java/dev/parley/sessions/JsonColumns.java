package dev.parley.sessions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads JSON columns. */
public final class JsonColumns {
    private static final ObjectMapper JSON =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private JsonColumns() {}

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
