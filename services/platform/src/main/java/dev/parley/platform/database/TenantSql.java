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
     * Asks, with the values in the places of the question marks. The reader moves from row to row itself.
     *
     * @throws FailedException when there is no answer
     */
    public <T extends @Nullable Object> T query(String sql, Reader<T> reader, @Nullable Object... values) {
        return database.in(tenant, transaction -> transaction.query(sql, reader, values));
    }

    /**
     * Changes rows.
     *
     * @return how many
     * @throws FailedException when that is not certain
     */
    public int update(String sql, @Nullable Object... values) {
        return database.in(tenant, transaction -> transaction.update(sql, values));
    }
}
