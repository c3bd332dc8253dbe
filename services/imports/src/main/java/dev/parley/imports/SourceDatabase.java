package dev.parley.imports;

import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/** A read-only connection to the database of another system. Rows are streamed from one snapshot. */
final class SourceDatabase implements AutoCloseable {
    private static final int FETCH_SIZE = 200;
    private static final int BUSY_MILLIS = 10_000;
    private static final int CONNECT_SECONDS = 10;
    private static final int QUERY_SECONDS = 300;

    private final Connection connection;
    private final String system;
    private final String location;

    private SourceDatabase(Connection connection, String system, String location) {
        this.connection = connection;
        this.system = system;
        this.location = location;
    }

    /** Handles a row. */
    @FunctionalInterface
    interface RowReader {
        void read(Row row) throws SQLException, IOException, InterruptedException;
    }

    /** Opens a file of SQLite. */
    static SourceDatabase sqlite(String system, Path file) {
        if (!Files.isRegularFile(file)) {
            throw new CommandException("The file " + file + " does not exist.");
        }
        var config = new SQLiteConfig();
        config.setReadOnly(true);
        config.setBusyTimeout(BUSY_MILLIS);
        try {
            return openChecked(config.createConnection("jdbc:sqlite:" + file), system, file);
        } catch (SQLException e) {
            throw new CommandException(
                    "%s cannot be read as a database of SQLite: %s. Copy it together with its -wal and -shm files, if there are any."
                            .formatted(file, firstLine(e)),
                    e);
        }
    }

    /** Reads from the file, as opening it does not read it. */
    private static SourceDatabase openChecked(Connection connection, String system, Path file) throws SQLException {
        var database = new SourceDatabase(connection, system, file.toString());
        try {
            connection.setAutoCommit(false);
            database.count("sqlite_master");
            return database;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Connects to Postgres. The URL may contain a password and is never shown. */
    static SourceDatabase postgres(String system, String url, @Nullable String user, @Nullable String password) {
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new CommandException(
                    "The database of " + system
                            + " is named as jdbc:postgresql://HOST:PORT/DATABASE, with ?currentSchema=NAME where it needs one.");
        }
        try {
            Connection connection = DriverManager.getConnection(url, properties(user, password));
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            return new SourceDatabase(connection, system, url.replaceFirst("\\?.*", ""));
        } catch (SQLException e) {
            throw new CommandException("The database of " + system + " cannot be reached: " + firstLine(e), e);
        }
    }

    private static Properties properties(@Nullable String user, @Nullable String password) {
        var properties = new Properties();
        properties.setProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("loginTimeout", Integer.toString(CONNECT_SECONDS));
        properties.setProperty("socketTimeout", Integer.toString(QUERY_SECONDS));
        properties.setProperty("ApplicationName", "parley import-from");
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        return properties;
    }

    private static String firstLine(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason is known");
    }

    /** The columns of a table in lower case; empty without the table. */
    Set<String> columns(String table) throws SQLException {
        var found = new HashSet<String>();
        try (ResultSet rows = connection.getMetaData().getColumns(null, connection.getSchema(), table, null)) {
            while (rows.next()) {
                found.add(rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT));
            }
        }
        return found;
    }

    boolean has(String table) throws SQLException {
        return !columns(table).isEmpty();
    }

    /**
     * The beginning of a query of a table.
     *
     * @param required columns that must exist, separated by commas
     * @param optional columns of other versions; null where they are missing
     * @throws CommandException with the missing table or column
     */
    String select(String table, String required, String optional) throws SQLException {
        Set<String> columns = columns(table);
        if (columns.isEmpty()) {
            throw new CommandException("%s has no table '%s': it is not a database of %s, or has an unknown version."
                    .formatted(location, table, system));
        }
        List<String> names = names(required);
        for (String name : names) {
            if (!columns.contains(name)) {
                throw new CommandException(
                        "The table '%s' of %s has no column '%s': it is not a database of %s, or has an unknown version."
                                .formatted(table, location, name, system));
            }
        }
        Stream<String> others = names(optional).stream().map(name -> columns.contains(name) ? name : "NULL AS " + name);
        return "SELECT " + Stream.concat(names.stream(), others).collect(Collectors.joining(", ")) + " FROM " + table
                + " ";
    }

    private static List<String> names(String list) {
        return list.isBlank() ? List.of() : Arrays.asList(list.trim().split("\\s*,\\s*"));
    }

    /** Reads rows one by one. */
    void each(String sql, RowReader reader, Object... arguments)
            throws SQLException, IOException, InterruptedException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setFetchSize(FETCH_SIZE);
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                var row = new Row(rows);
                while (rows.next()) {
                    reader.read(row);
                }
            }
        }
    }

    private boolean isPostgres() throws SQLException {
        return connection.getMetaData().getDatabaseProductName().equals("PostgreSQL");
    }

    /** An id column as text: Postgres has UUIDs. */
    String asText(String column) throws SQLException {
        return isPostgres() ? column + "::text" : column;
    }

    String trueLiteral() throws SQLException {
        return isPostgres() ? "TRUE" : "1";
    }

    /** The number of rows of a table; 0 without the table. */
    long countOf(String table) throws SQLException {
        return has(table) ? count(table) : 0;
    }

    private long count(String table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT count(*) FROM " + table);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }

    /** A row of a result. */
    record Row(ResultSet rows) {
        @Nullable
        String text(String column) throws SQLException {
            return rows.getString(column);
        }

        /** A text; empty for null. */
        String string(String column) throws SQLException {
            String text = rows.getString(column);
            return text == null ? "" : text;
        }

        long number(String column) throws SQLException {
            return rows.getLong(column);
        }

        @Nullable
        Double decimal(String column) throws SQLException {
            double value = rows.getDouble(column);
            return rows.wasNull() ? null : value;
        }

        /**
         * A boolean, or a number where 1 is true.
         *
         * @param fallback the value for null
         */
        boolean is(String column, boolean fallback) throws SQLException {
            boolean value = rows.getBoolean(column);
            return rows.wasNull() ? fallback : value;
        }
    }
}
