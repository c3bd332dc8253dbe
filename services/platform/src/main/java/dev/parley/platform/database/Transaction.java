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
     * Runs a query; the reader advances the result set.
     *
     * @param values of the parameters
     * @throws FailedException if the database fails
     */
    public <T extends @Nullable Object> T query(String sql, Reader<T> reader, @Nullable Object... values) {
        try (PreparedStatement statement = prepare(sql, values);
                ResultSet row = statement.executeQuery()) {
            return reader.read(row);
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    /**
     * Runs a statement that changes rows.
     *
     * @return number of changed rows
     * @throws FailedException if the database fails, or its answer is lost
     */
    public int update(String sql, @Nullable Object... values) {
        try (PreparedStatement statement = prepare(sql, values)) {
            return statement.executeUpdate();
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    /**
     * Waits for a lock, which ends with the transaction. Statements after it see what earlier holders have committed.
     *
     * @param name unique for each locked resource
     * @throws FailedException if the database fails, or others hold the lock for longer than a statement may take
     */
    public void lock(String name) {
        query("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", ResultSet::next, name);
    }

    private PreparedStatement prepare(String sql, @Nullable Object... values) throws SQLException {
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
