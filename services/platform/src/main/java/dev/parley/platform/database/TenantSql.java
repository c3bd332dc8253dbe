package dev.parley.platform.database;

import dev.parley.platform.database.Sql.FailedException;
import dev.parley.platform.database.Sql.Reader;
import org.jspecify.annotations.Nullable;

/** Runs single statements of a tenant, each in its own transaction. */
public final class TenantSql {
    private final Database database;
    private final Tenant tenant;

    TenantSql(Database database, Tenant tenant) {
        this.database = database;
        this.tenant = tenant;
    }

    /**
     * Runs a query; the reader advances the result set.
     *
     * @param values of the parameters
     * @throws FailedException if the database fails
     */
    public <T extends @Nullable Object> T query(String sql, Reader<T> reader, @Nullable Object... values) {
        return database.in(tenant, transaction -> transaction.query(sql, reader, values));
    }

    /**
     * Runs a statement that changes rows.
     *
     * @return number of changed rows
     * @throws FailedException if the database fails, or its answer is lost
     */
    public int update(String sql, @Nullable Object... values) {
        return database.in(tenant, transaction -> transaction.update(sql, values));
    }
}
