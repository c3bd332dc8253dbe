package dev.parley.platform.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * An advisory lock of Postgres; it ends with its connection.
 *
 * @param number unique for each locked resource
 */
public record AdvisoryLock(long number) {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /**
     * Takes the lock, outside a transaction.
     *
     * @param timeout for waiting; zero waits without limit, as {@code lock_timeout} of Postgres does
     * @return false if another connection holds it for longer
     */
    public boolean take(Connection connection, Duration timeout) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = " + timeout.toMillis());
            statement.execute("SELECT pg_advisory_lock(" + number + ")");
            statement.execute("RESET lock_timeout");
            return true;
        } catch (SQLException e) {
            if (LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Shares the lock until the transaction ends, without waiting.
     *
     * @return false if another connection has taken it alone
     */
    public boolean share(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet shared = statement.executeQuery("SELECT pg_try_advisory_xact_lock_shared(" + number + ")")) {
            return shared.next() && shared.getBoolean(1);
        }
    }

    /** Releases the lock; a closed connection has released it. */
    public void release(Connection connection) throws SQLException {
        if (connection.isClosed()) {
            return;
        }
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_unlock(" + number + ")");
        }
    }
}
