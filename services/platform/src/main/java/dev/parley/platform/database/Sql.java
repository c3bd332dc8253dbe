package dev.parley.platform.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Single statements, each in a transaction of its own and within seconds. */
public record Sql(DataSource database) {
    private static final int SECONDS = 5;

    /** Reads what a query found. */
    @FunctionalInterface
    public interface Reader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /** Asks, with the values in the places of the question marks. The reader moves from row to row itself. */
    public <T extends @Nullable Object> T query(String sql, Reader<T> reader, @Nullable Object... values)
            throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = prepared(connection, sql, values);
                ResultSet row = statement.executeQuery()) {
            return reader.read(row);
        }
    }

    /** Changes rows. @return how many */
    public int update(String sql, @Nullable Object... values) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = prepared(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, @Nullable Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(SECONDS);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
