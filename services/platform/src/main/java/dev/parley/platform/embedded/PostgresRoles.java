package dev.parley.platform.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.postgresql.core.Utils;

/** Creates databases and the two roles, as superuser. Each step is idempotent. */
final class PostgresRoles implements AutoCloseable {
    private final Connection superuser;

    PostgresRoles(DatabaseLogin superuser) throws SQLException {
        this.superuser = DriverManager.getConnection(superuser.url(), superuser.user(), superuser.password());
    }

    /** Ensures that a role exists that may log in with this password and has no other attributes. */
    void ensureRole(String role, String password) throws SQLException {
        var verb = exists("SELECT 1 FROM pg_roles WHERE rolname = ?", role) ? "ALTER" : "CREATE";
        execute("%s ROLE %s LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '%s'"
                .formatted(verb, name(role), Utils.escapeLiteral(null, password, true)));
    }

    /** Ensures that a database exists that belongs to the owner and accepts only the owner and the app role. */
    void ensureDatabase(String database, String owner, String app) throws SQLException {
        if (!exists("SELECT 1 FROM pg_database WHERE datname = ?", database)) {
            execute("CREATE DATABASE %s OWNER %s".formatted(name(database), name(owner)));
        }
        execute("REVOKE ALL ON DATABASE %s FROM PUBLIC".formatted(name(database)));
        execute("GRANT CONNECT, TEMPORARY ON DATABASE %s TO %s".formatted(name(database), name(app)));
    }

    /**
     * Ensures that searches use their index on tables with row policies, for which Postgres must know that the operator
     * {@code @@} does not leak hidden rows.
     */
    void ensureSearch() throws SQLException {
        String function = "pg_catalog.ts_match_vq(tsvector, tsquery)";
        if (exists("SELECT 1 FROM pg_proc WHERE oid = ?::regprocedure AND NOT proleakproof", function)) {
            execute("ALTER FUNCTION " + function + " LEAKPROOF");
        }
    }

    @Override
    public void close() throws SQLException {
        superuser.close();
    }

    private boolean exists(String query, String name) throws SQLException {
        try (var statement = superuser.prepareStatement(query)) {
            statement.setString(1, name);
            return statement.executeQuery().next();
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = superuser.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String name(String identifier) throws SQLException {
        return Utils.escapeIdentifier(null, identifier).toString();
    }
}
