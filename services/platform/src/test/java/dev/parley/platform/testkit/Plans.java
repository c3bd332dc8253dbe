package dev.parley.platform.testkit;

import dev.parley.platform.database.Database;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Connections that record the plan of each query before it runs: {@code EXPLAIN} of the same statement with its values,
 * for the same role and tenant.
 */
public final class Plans implements Database.Connections {
    private final Database.Connections connections;
    private final List<Plan> plans = new CopyOnWriteArrayList<>();

    public Plans(Database.Connections connections) {
        this.connections = connections;
    }

    /** A query and its plan from {@code EXPLAIN}. */
    public record Plan(String sql, String text) {
        /** Whether all rows of a table are read; the table is given with its alias, if it has one. */
        public boolean readsAll(String table) {
            return text.contains("Seq Scan on " + table);
        }

        /** Whether the plan uses this index. */
        public boolean uses(String index) {
            return text.contains(index);
        }
    }

    /** Discards the plans recorded so far. */
    public void forget() {
        plans.clear();
    }

    /** The plan of the last query whose text contains this. */
    public Plan last(String text) {
        return plans.reversed().stream()
                .filter(plan -> plan.sql().contains(text))
                .findFirst()
                .orElseThrow(() -> new AssertionError("nobody asked " + text + " in " + plans));
    }

    @Override
    public Connection open() throws SQLException {
        Connection connection = connections.open();
        return proxy(Connection.class, (method, arguments) -> {
            Object result = call(connection, method, arguments);
            return result instanceof PreparedStatement statement
                    ? explaining(connection, String.valueOf(arguments[0]), statement)
                    : result;
        });
    }

    private PreparedStatement explaining(Connection connection, String sql, PreparedStatement statement) {
        var bound = new ArrayList<Call>();
        return proxy(PreparedStatement.class, (method, arguments) -> {
            if (method.getName().startsWith("set") && arguments.length >= 2) {
                bound.add(new Call(method, arguments));
            }
            if (method.getName().equals("executeQuery") && sql.stripLeading().startsWith("SELECT")) {
                explain(connection, sql, bound);
            }
            return call(statement, method, arguments);
        });
    }

    private record Call(Method method, Object[] arguments) {}

    private void explain(Connection connection, String sql, List<Call> bound) throws Throwable {
        try (PreparedStatement statement = connection.prepareStatement("EXPLAIN " + sql)) {
            for (Call call : bound) {
                call(statement, call.method(), call.arguments());
            }
            var text = new StringBuilder();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    text.append(row.getString(1)).append('\n');
                }
            }
            plans.add(new Plan(sql, text.toString()));
        }
    }

    @FunctionalInterface
    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (_, method, arguments) -> handler.handle(method, arguments == null ? new Object[0] : arguments)));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
