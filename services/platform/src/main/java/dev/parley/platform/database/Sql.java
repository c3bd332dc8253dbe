package dev.parley.platform.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Single statements, each in a transaction of its own and within seconds. */
public record Sql(Database database) {

    /** The database did not do it, or did not say so. */
    public static final class FailedException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        FailedException(SQLException cause) {
            super("the database: " + cause.getMessage(), cause);
        }
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
