package dev.parley.platform.database;

import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Sql.Reader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Single statements of a tenant, each in a transaction of its own and within seconds. */
public final class TenantSql {
    private static final int SECONDS = 5;

    private final Database database;
    private final Tenant tenant;

    TenantSql(Database database, Tenant tenant) {
        this.database = database;
        this.tenant = tenant;
    }

    /**
     * Asks, with the values in the places of the question marks. The reader moves from row to row itself.
     *
     * @throws FailedException when there is no answer
     */
    public <T extends @Nullable Object> T query(String sql, Reader<T> reader, @Nullable Object... values) {
        try (Connection connection = database.begin(tenant);
                PreparedStatement statement = prepared(connection, sql, values);
                ResultSet row = statement.executeQuery()) {
            T found = reader.read(row);
            connection.commit();
            return found;
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
        try (Connection connection = database.begin(tenant);
                PreparedStatement statement = prepared(connection, sql, values)) {
            int changed = statement.executeUpdate();
            connection.commit();
            return changed;
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
