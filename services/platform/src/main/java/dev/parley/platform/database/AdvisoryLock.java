package dev.parley.platform.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A lock of Postgres that only those respect who ask for it; it belongs to the connection, and ends with it.
 *
 * @param number one for each thing that is locked
 */
public record AdvisoryLock(long number) {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /**
     * Takes it, outside a transaction.
     *
     * @param patience how long another one is waited for; zero waits for ever, as Postgres' {@code lock_timeout} has it
     * @return false where another one holds it for longer
     */
    public boolean take(Connection connection, Duration patience) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = " + patience.toMillis());
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

    /** Gives it back; where the connection is closed, it is free. */
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
