package dev.parley.platform.database;

import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are passed to one statement, which refers to them as {@code $rows} and to their vectors as
 * {@code $vectors}.
 */
public final class RowBatch {
    private static final String JSON = "json";
    private static final Pattern NUL = Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u0000");

    private final String[] types;
    private final List<@Nullable String[]> rows = new ArrayList<>();
    private final List<float[]> vectors = new ArrayList<>();

    /** @param types Postgres types of the columns, separated by spaces */
    public RowBatch(String types) {
        this.types = types.split(" ");
    }

    /**
     * Adds a row.
     *
     * @param values of its columns
     */
    public RowBatch add(@Nullable Object... values) {
        if (values.length != types.length) {
            throw new IllegalArgumentException("%d values for %d columns".formatted(values.length, types.length));
        }
        var row = new @Nullable String[types.length];
        for (int i = 0; i < row.length; i++) {
            String text = toText(values[i]);
            row[i] = text == null || !types[i].equals(JSON) ? text : cleanJson(text);
        }
        rows.add(row);
        return this;
    }

    /**
     * Adds a vector to one binary array of all vectors, which is faster than texts; returns the index of the vector.
     */
    public int vector(float[] values) {
        vectors.add(values);
        return vectors.size() - 1;
    }

    private float[] allVectors() {
        var buffer = FloatBuffer.allocate(
                vectors.stream().mapToInt(vector -> vector.length).sum());
        vectors.forEach(buffer::put);
        return buffer.array();
    }

    private static @Nullable String toText(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case UUID _, Number _, Boolean _, Instant _ -> value.toString();
            default -> clean(value.toString());
        };
    }

    /** A text that Postgres can store: without NUL and unpaired surrogates. */
    public static String clean(String text) {
        String wellFormed =
                hasSurrogate(text) ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8) : text;
        return wellFormed.replace('\u0000', '\uFFFD');
    }

    /** A JSON text whose members Postgres can read: {@code ->>} fails where any string of it has an escaped NUL. */
    private static String cleanJson(String json) {
        return json.contains("u0000") ? NUL.matcher(json).replaceAll("$1\\\\ufffd") : json;
    }

    private static boolean hasSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Runs a statement with these rows, if there are any; returns the number of changed rows. */
    public int run(Connection connection, String sql) throws SQLException {
        if (rows.isEmpty()) {
            return 0;
        }
        try (PreparedStatement statement = prepare(connection, sql)) {
            return statement.executeUpdate();
        }
    }

    /** Reads a row of a query. */
    @FunctionalInterface
    public interface RowReader {
        void read(ResultSet row) throws SQLException;
    }

    /** Reads the rows of a query with these rows. */
    public void query(Connection connection, String sql, RowReader reader) throws SQLException {
        if (!rows.isEmpty()) {
            try (PreparedStatement statement = prepare(connection, sql);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    reader.read(row);
                }
            }
        }
    }

    /** Adds the rows of a query with these rows to another batch. */
    public void query(Connection connection, String sql, RowBatch into) throws SQLException {
        query(connection, sql, row -> {
            var values = new @Nullable Object[into.types.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = row.getObject(i + 1);
            }
            into.add(values);
        });
    }

    private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        String unnest =
                Arrays.stream(types).map(type -> "?::" + type + "[]").collect(Collectors.joining(", ", "unnest(", ")"));
        PreparedStatement statement =
                connection.prepareStatement(sql.replace("$rows", unnest).replace("$vectors", "?::real[]"));
        if (sql.contains("$vectors")) {
            statement.setObject(types.length + 1, allVectors());
        }
        for (int i = 0; i < types.length; i++) {
            int column = i;
            statement.setArray(
                    i + 1,
                    connection.createArrayOf(
                            "text", rows.stream().map(row -> row[column]).toArray(String[]::new)));
        }
        return statement;
    }
}
