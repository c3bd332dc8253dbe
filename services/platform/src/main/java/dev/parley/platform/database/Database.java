package dev.parley.platform.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
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
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of a service, each with a tenant, also for repositories of Micronaut Data: a repository that is called
 * outside {@link #in} has no tenant, and the row policies show it no row of a host.
 */
public final class Database {
    private static final String ENTER =
            "SELECT set_config('app.host', ?, true), set_config('app.project', ?, true), set_config('app.user', ?,"
                    + " true)";
    private static final String ENTER_WITH_TIMEOUT = ENTER + ", set_config('statement_timeout', '5s', true)";
    private static final String READ = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; ";
    private static final String LIST = READ + "SET LOCAL plan_cache_mode = force_custom_plan; ";

    /** Nested transactions are independent, since they may have another tenant. */
    private static final TransactionDefinition OWN = TransactionDefinition.of(Propagation.REQUIRES_NEW);

    private final Connections connections;
    private final @Nullable TransactionOperations<Connection> transactions;
    /** Whether all connections of the pool are in use. */
    private final BooleanSupplier busy;

    /** Opens connections. */
    @FunctionalInterface
    public interface Connections {
        Connection open() throws SQLException;
    }

    public Database(Connections connections) {
        this(connections, null, () -> false);
    }

    private Database(
            Connections connections, @Nullable TransactionOperations<Connection> transactions, BooleanSupplier busy) {
        this.connections = connections;
        this.transactions = transactions;
        this.busy = busy;
    }

    /** The database of a data source, without repositories. */
    public static Database of(DataSource source) {
        return new Database(DelegatingDataSource.unwrapDataSource(source)::getConnection);
    }

    /** The database of a pool that shares its transactions with repositories. */
    static Database of(DataSource source, TransactionOperations<Connection> transactions) {
        DataSource pool = DelegatingDataSource.unwrapDataSource(source);
        return new Database(pool::getConnection, transactions, () -> isBusy(pool));
    }

    private static boolean isBusy(DataSource source) {
        return source instanceof HikariDataSource pool
                && pool.getHikariPoolMXBean() instanceof HikariPoolMXBean use
                && use.getActiveConnections() >= pool.getMaximumPoolSize();
    }

    /** The database of a single connection, which stays open: closing it only rolls back its transaction. */
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
     * Runs work in a transaction that reads and writes only the rows of the tenant. The timeout of a statement is 5 s.
     * An exception rolls back.
     *
     * @throws FailedException if the database fails, or its answer is lost
     */
    public <T extends @Nullable Object> T in(Tenant tenant, Function<Transaction, T> work) {
        return inTenant(ENTER_WITH_TIMEOUT, tenant, work);
    }

    /** Like {@link #in(Tenant, Function)}, for repositories. */
    public <T extends @Nullable Object> T in(Tenant tenant, Supplier<T> work) {
        return in(tenant, transaction -> work.get());
    }

    /** Like {@link #in(Tenant, Function)}, for repositories and without a result. */
    public void in(Tenant tenant, Runnable work) {
        in(tenant, transaction -> {
            work.run();
            return null;
        });
    }

    /** Runs work in a read-only transaction on one snapshot. */
    public <T extends @Nullable Object> T readingIn(Tenant tenant, Function<Transaction, T> work) {
        return inTenant(READ + ENTER_WITH_TIMEOUT, tenant, work);
    }

    /** Like {@link #readingIn(Tenant, Function)}, for repositories. */
    public <T extends @Nullable Object> T readingIn(Tenant tenant, Supplier<T> work) {
        return readingIn(tenant, transaction -> work.get());
    }

    /**
     * Like {@link #readingIn(Tenant, Supplier)}, for lists with optional filters and cursors: Postgres plans each
     * statement for its parameters, so that a filter or cursor that is null does not hide an index.
     */
    public <T extends @Nullable Object> T listingIn(Tenant tenant, Supplier<T> work) {
        return inTenant(LIST + ENTER_WITH_TIMEOUT, tenant, transaction -> work.get());
    }

    private <T extends @Nullable Object> T inTenant(String sql, Tenant tenant, Function<Transaction, T> work) {
        return transactions == null
                ? inOwnTransaction(tenant, sql, work)
                : inSharedTransaction(transactions, tenant, sql, work);
    }

    private <T extends @Nullable Object> T inOwnTransaction(Tenant tenant, String sql, Function<Transaction, T> work) {
        try (Connection connection = open(tenant, sql)) {
            T result = work.apply(new Transaction(connection));
            connection.commit();
            return result;
        } catch (SQLException e) {
            throw new FailedException(e);
        }
    }

    private <T extends @Nullable Object> T inSharedTransaction(
            TransactionOperations<Connection> transactions, Tenant tenant, String sql, Function<Transaction, T> work) {
        return waitingWhileBusy(entered -> executeIn(transactions, tenant, sql, work, entered));
    }

    @SuppressWarnings("NullAway") // callbacks may return null, which the signature of Micronaut does not say
    private static <T extends @Nullable Object> T executeIn(
            TransactionOperations<Connection> transactions,
            Tenant tenant,
            String sql,
            Function<Transaction, T> work,
            Runnable onConnected) {
        try {
            return transactions.execute(OWN, status -> {
                onConnected.run();
                try {
                    enter(status.getConnection(), tenant, sql);
                } catch (SQLException e) { // would be thrown as it is, though it is not declared
                    throw new FailedException(e);
                }
                return work.apply(new Transaction(status.getConnection()));
            });
        } catch (DataAccessException
                | TransactionException
                | ConnectionException
                | CannotGetJdbcConnectionException e) {
            throw unwrap(e);
        }
    }

    /**
     * Waits for a connection beyond the timeout of the pool while all connections are in use.
     *
     * @param attempt runs what it is given when it has a connection
     */
    private <T extends @Nullable Object> T waitingWhileBusy(Function<Runnable, T> attempt) {
        long deadline = System.nanoTime() + Databases.BUSY_WAIT.toNanos();
        while (true) {
            var connected = new AtomicBoolean();
            try {
                return attempt.apply(() -> connected.set(true));
            } catch (FailedException e) {
                if (connected.get() || !mayWait(e.getCause(), deadline)) {
                    throw e;
                }
            }
        }
    }

    private boolean mayWait(@Nullable Throwable failure, long deadline) {
        return failure instanceof SQLTransientConnectionException
                && busy.getAsBoolean()
                && System.nanoTime() < deadline;
    }

    /** Opens a connection, waiting like {@link #waitingWhileBusy}. */
    private Connection connect() throws SQLException {
        long deadline = System.nanoTime() + Databases.BUSY_WAIT.toNanos();
        while (true) {
            try {
                return connections.open();
            } catch (SQLTransientConnectionException e) {
                if (!mayWait(e, deadline)) {
                    throw e;
                }
            }
        }
    }

    private static RuntimeException unwrap(RuntimeException thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof SQLException)) {
            cause = cause.getCause();
        }
        return cause == null ? thrown : new FailedException((SQLException) cause);
    }

    /**
     * Begins a transaction that reads and writes only the rows of the tenant. Closing the connection without a commit
     * rolls back; after a commit it has no tenant.
     */
    public Connection begin(Tenant tenant) throws SQLException {
        return open(tenant, ENTER);
    }

    /** Begins a read-only transaction of the tenant on one snapshot. */
    public Connection reading(Tenant tenant) throws SQLException {
        return open(tenant, READ + ENTER);
    }

    private Connection open(Tenant tenant, String sql) throws SQLException {
        Connection connection = connect();
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
