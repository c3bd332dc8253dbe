package dev.parley.platform.database;

import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Sql.Reader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Statements in one transaction. */
public final class Transaction {
    private final Connection connection;

    Transaction(Connection connection) {
        this.connection = connection;
    }

    /**
     * Asks, with the values in the places of the question marks. The reader moves from row to row itself.
     *
     * @throws FailedException when there is no answer
     */
    public <T extends @Nullable Object> T query(String sql, Reader<T> reader, @Nullable Object... values) {
        try (PreparedStatement statement = prepared(sql, values);
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
        try (PreparedStatement statement = prepared(sql, values)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    private PreparedStatement prepared(String sql, @Nullable Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, bound(values[i]));
        }
        return statement;
    }

    private static @Nullable Object bound(@Nullable Object value) {
        return value instanceof Instant time ? OffsetDateTime.ofInstant(time, ZoneOffset.UTC) : value;
    }
}
