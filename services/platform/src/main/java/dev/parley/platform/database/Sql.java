package dev.parley.platform.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Runs single statements, each in its own transaction. */
public record Sql(Database database) {

    /** The database did not do it, or did not say so. */
    public static final class FailedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        private static final String UNIQUE = "23505";

        FailedException(SQLException cause) {
            super("the database: " + cause.getMessage(), cause);
        }

        /** The SQLSTATE; empty where there was no answer. */
        public String state() {
            return getCause() instanceof SQLException cause && cause.getSQLState() != null ? cause.getSQLState() : "";
        }

        /** Whether the database is away, or takes nothing more: it is worth another try. */
        public boolean isAway() {
            return Databases.isAway(state());
        }

        /** The name of the unique index or constraint that a row would have broken, or empty. */
        public Optional<String> duplicate() {
            return getCause() instanceof PSQLException cause
                            && UNIQUE.equals(cause.getSQLState())
                            && cause.getServerErrorMessage() != null
                    ? Optional.ofNullable(cause.getServerErrorMessage().getConstraint())
                    : Optional.empty();
        }
    }

    /** Values as an array to cast, such as {@code ?::uuid[]}. */
    public static Object texts(Collection<?> values) {
        return values.stream().map(String::valueOf).toArray(String[]::new);
    }

    /** Reads what a query found. */
    @FunctionalInterface
    public interface Reader<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    /** Statements that see and write the rows of this tenant. */
    public TenantSql as(Tenant tenant) {
        return new TenantSql(database, tenant);
    }
}
