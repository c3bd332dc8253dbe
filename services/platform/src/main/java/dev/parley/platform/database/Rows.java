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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows passed to one statement, which refers to them as {@code $rows} and to their vectors as {@code $vectors}. */
public final class Rows {
    private final String[] types;
    private final List<@Nullable String[]> rows = new ArrayList<>();
    private final List<float[]> vectors = new ArrayList<>();

    /** @param types of the columns, in Postgres, with a blank between them */
    public Rows(String types) {
        this.types = types.split(" ");
    }

    /** Adds one, column by column. */
    public Rows add(@Nullable Object... values) {
        if (values.length != types.length) {
            throw new IllegalArgumentException("%d values for %d columns".formatted(values.length, types.length));
        }
        rows.add(Arrays.stream(values).map(Rows::stored).toArray(String[]::new));
        return this;
    }

    /** Adds a vector, to all others as numbers one behind the other: as texts they take most of the time. @return how many there were before */
    public int vector(float[] values) {
        vectors.add(values);
        return vectors.size() - 1;
    }

    private float[] allVectors() {
        var all = FloatBuffer.allocate(
                vectors.stream().mapToInt(vector -> vector.length).sum());
        vectors.forEach(all::put);
        return all.array();
    }

    private static @Nullable String stored(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case UUID _, Number _, Boolean _, Instant _ -> value.toString();
            default -> clean(value.toString());
        };
    }

    /** A text as Postgres can keep it: without NUL, and without halves of characters. */
    public static String clean(String text) {
        String whole =
                hasSurrogate(text) ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8) : text;
        return whole.replace('\u0000', '\uFFFD');
    }

    private static boolean hasSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** Runs a statement over all of them, and none where there are none. @return how many rows it changed */
    public int run(Connection connection, String sql) throws SQLException {
        if (rows.isEmpty()) {
            return 0;
        }
        try (PreparedStatement statement = prepare(connection, sql)) {
            return statement.executeUpdate();
        }
    }

    /** What is done with a row that a query finds. */
    @FunctionalInterface
    public interface Found {
        void take(ResultSet row) throws SQLException;
    }

    /** Takes each row that a query over all of them finds. */
    public void query(Connection connection, String sql, Found found) throws SQLException {
        if (!rows.isEmpty()) {
            try (PreparedStatement statement = prepare(connection, sql);
                    ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.take(row);
                }
            }
        }
    }

    /** Adds each row that a query over all of them finds to others. */
    public void query(Connection connection, String sql, Rows into) throws SQLException {
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
