package dev.parley.platform.database;

import dev.parley.platform.database.Sql.FailedException;
import io.micronaut.data.connection.exceptions.ConnectionException;
import io.micronaut.data.connection.jdbc.advice.DelegatingDataSource;
import io.micronaut.data.connection.jdbc.exceptions.CannotGetJdbcConnectionException;
import io.micronaut.data.exceptions.DataAccessException;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionDefinition.Propagation;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.exceptions.TransactionException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A service's tables. Every transaction enters its tenant here, those of Micronaut Data's repositories too: a repository that is called
 * outside {@link #in} has no tenant, so that the policies of the tables show it no row of a host.
 */
public final class Database {
    private static final String ENTER =
            "SELECT set_config('app.host', ?, true), set_config('app.project', ?, true), set_config('app.user', ?, true)";
    private static final String BRIEFLY = ENTER + ", set_config('statement_timeout', '5s', true)";
    private static final String READ = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ";

    /** A transaction inside another is one of its own: it may be another tenant's. */
    private static final TransactionDefinition OWN = TransactionDefinition.of(Propagation.REQUIRES_NEW);

    private final Connections connections;
    private final @Nullable TransactionOperations<Connection> transactions;

    /** Where connections come from. */
    @FunctionalInterface
    public interface Connections {
        Connection open() throws SQLException;
    }

    public Database(Connections connections) {
        this(connections, null);
    }

    private Database(Connections connections, @Nullable TransactionOperations<Connection> transactions) {
        this.connections = connections;
        this.transactions = transactions;
    }

    /** The database of a pool, or of connections one by one, without repositories. */
    public static Database of(DataSource source) {
        return new Database(DelegatingDataSource.unwrapDataSource(source)::getConnection);
    }

    /** The database of a pool, whose transactions are also those of its repositories. */
    static Database of(DataSource source, TransactionOperations<Connection> transactions) {
        return new Database(DelegatingDataSource.unwrapDataSource(source)::getConnection, transactions);
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
     * Does work in a transaction that sees and writes the tenant's rows, and no others. Each statement has 5 seconds. What the work
     * throws takes everything back.
     *
     * @throws FailedException when the database did not do it, or did not say so
     */
    public <T extends @Nullable Object> T in(Tenant tenant, Function<Transaction, T> work) {
        return entering(BRIEFLY, tenant, work);
    }

    /** The same, for work that repositories do. */
    public <T extends @Nullable Object> T in(Tenant tenant, Supplier<T> work) {
        return in(tenant, transaction -> work.get());
    }

    /** The same, for work of repositories that returns nothing. */
    public void in(Tenant tenant, Runnable work) {
        in(tenant, transaction -> {
            work.run();
            return null;
        });
    }

    /** The same in a transaction that writes nothing: all that it reads was true at one moment. */
    public <T extends @Nullable Object> T readingIn(Tenant tenant, Function<Transaction, T> work) {
        return entering(READ + BRIEFLY, tenant, work);
    }

    private <T extends @Nullable Object> T entering(String sql, Tenant tenant, Function<Transaction, T> work) {
        return transactions == null ? alone(tenant, sql, work) : together(transactions, tenant, sql, work);
    }

    private <T extends @Nullable Object> T alone(Tenant tenant, String sql, Function<Transaction, T> work) {
        try (Connection connection = entered(tenant, sql)) {
            T result = work.apply(new Transaction(connection));
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    @SuppressWarnings("NullAway") // Micronaut says nothing of callbacks that return null, and returns what they return
    private static <T extends @Nullable Object> T together(
            TransactionOperations<Connection> transactions, Tenant tenant, String sql, Function<Transaction, T> work) {
        try {
            return transactions.execute(OWN, status -> {
                enter(status.getConnection(), tenant, sql);
                return work.apply(new Transaction(status.getConnection()));
            });
        } catch (DataAccessException
                | TransactionException
                | ConnectionException
                | CannotGetJdbcConnectionException e) {
            throw failed(e);
        }
    }

    private static RuntimeException failed(RuntimeException thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return cause == null ? thrown : new FailedException((SQLException) cause);
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
        return entered(tenant, READ + ENTER);
    }

    private Connection entered(Tenant tenant, String sql) throws SQLException {
        Connection connection = connections.open();
        try {
            connection.setAutoCommit(false);
            enter(connection, tenant, sql);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static void enter(Connection connection, Tenant tenant, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, tenant.host());
            statement.setString(2, tenant.project());
            statement.setString(3, tenant.user());
            statement.execute();
        }
    }
}
