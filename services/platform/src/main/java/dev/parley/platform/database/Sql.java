package dev.parley.platform.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Runs single statements, each in its own transaction. */
public record Sql(Database database) {

    /** The database failed, or its answer was lost. */
    public static final class FailedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        private static final String UNIQUE = "23505";

        FailedException(SQLException cause) {
            super("the database: " + cause.getMessage(), cause);
        }

        /** The SQLSTATE; empty if there was no answer. */
        public String state() {
            return getCause() instanceof SQLException cause && cause.getSQLState() != null ? cause.getSQLState() : "";
        }

        /** Whether the database is unavailable or overloaded, so that a retry may succeed. */
        public boolean isUnavailable() {
            return Databases.isUnavailable(state());
        }

        /** The name of the violated unique index or constraint, or empty. */
        public Optional<String> duplicate() {
            return getCause() instanceof PSQLException cause
                            && UNIQUE.equals(cause.getSQLState())
                            && cause.getServerErrorMessage() != null
                    ? Optional.ofNullable(cause.getServerErrorMessage().getConstraint())
                    : Optional.empty();
        }
    }

    /** Reads the result of a query. */
    @FunctionalInterface
    public interface Reader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /** Statements of a tenant. */
    public TenantSql as(Tenant tenant) {
        return new TenantSql(database, tenant);
    }
}
