package dev.parley.sessions.projection;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes rows of one table. A batch is one statement of any size: each column is one array, which is faster
 * than batches of Micronaut Data.
 *
 * @param <R> the row
 */
final class Table<R extends Row> {
    private final String name;
    private final Supplier<R> blank;
    private final List<Column<R>> columns = new ArrayList<>();
    private final String key;

    private record Column<R>(
            String name, Type type, Function<R, @Nullable Object> get, BiConsumer<R, @Nullable Object> set) {}

    /**
     * Arrays of texts and numbers are sent to Postgres in binary form; arrays of objects would be sent as text and
     * parsed there.
     */
    private enum Type {
        UUID("uuid", Object[]::new),
        TEXT("text", String[]::new),
        JSON("text", String[]::new),
        INT("int4", Integer[]::new),
        LONG("int8", Long[]::new),
        BOOL("bool", Boolean[]::new),
        TIME("timestamptz", Object[]::new),
        NUMERIC("numeric", Object[]::new),
        BYTES("bytea", byte[][]::new);

        final String sql;
        final IntFunction<@Nullable Object[]> array;

        Type(String sql, IntFunction<@Nullable Object[]> array) {
            this.sql = sql;
            this.array = array;
        }
    }

    /** @param key the primary key, as in SQL, {@code a, b} */
    Table(String name, String key, Supplier<R> blank) {
        this.name = name;
        this.key = key;
        this.blank = blank;
    }

    Table<R> uuid(String column, Function<R, @Nullable UUID> get, BiConsumer<R, UUID> set) {
        return add(column, Type.UUID, get, (row, value) -> set.accept(row, (UUID) value));
    }

    Table<R> text(String column, Function<R, @Nullable String> get, BiConsumer<R, String> set) {
        return add(column, Type.TEXT, get, (row, value) -> set.accept(row, (String) value));
    }

    Table<R> json(String column, Function<R, @Nullable String> get, BiConsumer<R, String> set) {
        return add(column, Type.JSON, get, (row, value) -> set.accept(row, (String) value));
    }

    Table<R> integer(String column, Function<R, Integer> get, BiConsumer<R, Integer> set) {
        return add(column, Type.INT, get, (row, value) -> set.accept(row, (Integer) value));
    }

    Table<R> bigint(String column, Function<R, @Nullable Long> get, BiConsumer<R, Long> set) {
        return add(column, Type.LONG, get, (row, value) -> set.accept(row, (Long) value));
    }

    Table<R> bool(String column, Function<R, Boolean> get, BiConsumer<R, Boolean> set) {
        return add(column, Type.BOOL, get, (row, value) -> set.accept(row, (Boolean) value));
    }

    Table<R> time(String column, Function<R, @Nullable Instant> get, BiConsumer<R, Instant> set) {
        return add(column, Type.TIME, get, (row, value) -> set.accept(row, (Instant) value));
    }

    Table<R> numeric(String column, Function<R, @Nullable BigDecimal> get, BiConsumer<R, BigDecimal> set) {
        return add(column, Type.NUMERIC, get, (row, value) -> set.accept(row, (BigDecimal) value));
    }

    Table<R> bytes(String column, Function<R, byte @Nullable []> get, BiConsumer<R, byte[]> set) {
        return add(column, Type.BYTES, get, (row, value) -> set.accept(row, (byte[]) value));
    }

    @SuppressWarnings("unchecked")
    private Table<R> add(
            String column,
            Type type,
            Function<R, ? extends @Nullable Object> get,
            BiConsumer<R, @Nullable Object> set) {
        columns.add(new Column<>(column, type, (Function<R, @Nullable Object>) get, set));
        return this;
    }

    /** The name, without the schema. */
    String name() {
        return name;
    }

    /** The columns, as in SQL. */
    String columns() {
        return columns.stream().map(Column::name).collect(joining(", "));
    }

    /** Reads the rows that match a condition; each {@code ?} in it is one of the arrays, in order. */
    List<R> select(Connection connection, String condition, Object[]... uuids) throws SQLException {
        String sql = "SELECT %s FROM sessions.%s WHERE %s".formatted(columns(), name, condition);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < uuids.length; i++) {
                statement.setArray(i + 1, connection.createArrayOf("uuid", uuids[i]));
            }
            var rows = new ArrayList<R>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(read(result));
                }
            }
            return rows;
        }
    }

    private R read(ResultSet result) throws SQLException {
        R row = blank.get();
        for (int i = 0; i < columns.size(); i++) {
            Column<R> column = columns.get(i);
            column.set().accept(row, value(column.type(), result, i + 1));
        }
        return row;
    }

    private static @Nullable Object value(Type type, ResultSet result, int index) throws SQLException {
        return switch (type) {
            case TEXT, JSON -> result.getString(index);
            case INT -> result.getInt(index);
            case TIME -> time(result, index);
            case UUID, LONG, BOOL, NUMERIC, BYTES -> result.getObject(index);
        };
    }

    private static @Nullable Instant time(ResultSet result, int index) throws SQLException {
        OffsetDateTime time = result.getObject(index, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    /** Inserts rows, or replaces existing ones that are not newer. */
    void upsert(Connection connection, Collection<R> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(upsert())) {
            for (int i = 0; i < columns.size(); i++) {
                statement.setArray(i + 1, array(connection, columns.get(i), rows));
            }
            statement.executeUpdate();
        }
    }

    private String upsert() {
        String unnested =
                columns.stream().map(column -> "?::" + column.type().sql + "[]").collect(joining(", "));
        String selected = columns.stream()
                .map(column -> column.type() == Type.JSON ? column.name() + "::jsonb" : column.name())
                .collect(joining(", "));
        String changed = columns.stream()
                .map(column -> column.name() + " = excluded." + column.name())
                .collect(joining(", "));
        return """
                INSERT INTO sessions.%1$s AS old (%2$s)
                SELECT %3$s FROM unnest(%4$s) AS new (%2$s)
                ON CONFLICT (%5$s) DO UPDATE SET %6$s WHERE old.aggregate_version <= excluded.aggregate_version
                """.formatted(name, columns(), selected, unnested, key, changed);
    }

    private Array array(Connection connection, Column<R> column, Collection<R> rows) throws SQLException {
        @Nullable Object[] values = column.type().array.apply(rows.size());
        int i = 0;
        for (R row : rows) {
            Object value = column.get().apply(row);
            values[i++] = value instanceof Instant time ? time.toString() : value;
        }
        return connection.createArrayOf(column.type().sql, values);
    }
}
