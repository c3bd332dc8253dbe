package dev.parley.platform.database;

import dev.parley.platform.database.Sql.FailedException;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A service's tables. Who reads or writes them says for whom: there is no other way to a connection. */
public final class Database {
    private static final String ENTER =
            "SELECT set_config('app.host', ?, true), set_config('app.project', ?, true), set_config('app.user', ?, true)";
    private static final String READING = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; " + ENTER;

    private final Connections connections;

    /** Where connections come from. */
    @FunctionalInterface
    public interface Connections {
        Connection open() throws SQLException;
    }

    public Database(Connections connections) {
        this.connections = connections;
    }

    /** The database of a pool, or of connections one by one. Transactions are made here, not by Micronaut. */
    public static Database of(DataSource source) {
        return new Database(DelegatingDataSource.unwrapDataSource(source)::getConnection);
    }

    /** The database behind one connection, which stays open: what closes it ends its transaction, and nothing else. */
    public static Database on(Connection connection) {
        return new Database(() -> (Connection) Proxy.newProxyInstance(
                Database.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        connection.rollback();
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /**
     * Does work in a transaction that sees and writes the tenant's rows, and no others. What it throws takes everything back.
     *
     * @throws FailedException when the database did not do it, or did not say so
     */
    public <T extends @Nullable Object> T in(Tenant tenant, Function<Transaction, T> work) {
        try (Connection connection = begin(tenant)) {
            T result = work.apply(new Transaction(connection));
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    /**
     * Begins a transaction that sees and writes the tenant's rows, and no others. Who closes the connection without a commit
     * takes everything back; after a commit it sees nothing any more.
     */
    public Connection begin(Tenant tenant) throws SQLException {
        return entered(tenant, ENTER);
    }

    /** Begins a transaction that reads the tenant's rows as they are at one moment, and writes none. */
    public Connection reading(Tenant tenant) throws SQLException {
        return entered(tenant, READING);
    }

    private Connection entered(Tenant tenant, String sql) throws SQLException {
        Connection connection = connections.open();
        try {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, tenant.host());
                statement.setString(2, tenant.project());
                statement.setString(3, tenant.user());
                statement.execute();
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }
}
