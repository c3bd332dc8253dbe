package dev.parley.control.definitions;

import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.CatalogueScope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A version of a tool, a skill or an endpoint, as stored.
 *
 * @param project null for the host's own
 * @param row the version of the row
 */
public record CatalogueRow<B extends Entry>(
        UUID host, @Nullable UUID project, String name, String version, B body, Instant updatedAt, long row) {
    /** Condition for the rows of a scope. */
    public static final String HERE = " WHERE host_id = ? AND project_id IS NOT DISTINCT FROM ?::uuid";

    /** Maps the current row. */
    public static <B extends Entry> CatalogueRow<B> of(ResultSet row, CatalogueTable<B> table) throws SQLException {
        return new CatalogueRow<>(
                Columns.uuid(row, "host_id"),
                Columns.uuidOrNull(row, "project_id"),
                row.getString("name"),
                row.getString("version"),
                table.read(Objects.requireNonNull(row.getString("body"))),
                Columns.time(row, "update_ts"),
                row.getLong("aggregate_version"));
    }

    /** The active row of the scope, locked until the transaction ends. */
    public static <B extends Entry> Optional<CatalogueRow<B>> find(
            Transaction transaction, CatalogueTable<B> table, CatalogueScope scope, String name, String version) {
        return transaction.query(
                "SELECT * FROM " + table.name() + HERE + " AND name = ? AND version = ? AND active FOR UPDATE",
                Columns.first(row -> of(row, table)),
                scope.host(),
                scope.project(),
                name,
                version);
    }
}
