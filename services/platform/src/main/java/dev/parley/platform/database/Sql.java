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

    /** The database did not do it, or did not say so. */
    public static final class FailedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        FailedException(SQLException cause) {
            super("the database: " + cause.getMessage(), cause);
        }
    }

    /** Reads what a query found. */
    @FunctionalInterface
    public interface Reader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * Asks, with the values in the places of the question marks. The reader moves from row to row itself.
     *
     * @throws FailedException when there is no answer
     */
    public <T extends @Nullable Object> T query(String sql, Reader<T> reader, @Nullable Object... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = prepared(connection, sql, values);
                ResultSet row = statement.executeQuery()) {
            return reader.read(row);
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    /**
     * Changes rows.
     *
     * @return how many
     * @throws FailedException when that is not certain
     */
    public int update(String sql, @Nullable Object... values) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = prepared(connection, sql, values)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new FailedException(e);
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
