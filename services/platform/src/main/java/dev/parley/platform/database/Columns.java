package dev.parley.platform.database;

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

/** Readers for all rows of a query, and for UUID and time columns. */
public final class Columns {
    private Columns() {}

    /** A reader of all rows. */
    public static <T> Reader<List<T>> list(Reader<T> row) {
        return rows -> {
            var found = new ArrayList<T>();
            while (rows.next()) {
                found.add(row.read(rows));
            }
            return found;
        };
    }

    /** The UUID in a column that is not null. */
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
}
