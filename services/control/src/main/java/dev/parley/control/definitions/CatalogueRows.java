package dev.parley.control.definitions;

import dev.parley.control.http.JsonColumns;
import dev.parley.control.http.NewIds;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.http.ApiException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of a scope in a table of the catalogue. In SQL by hand: three tables have one shape, and are named by kind. */
public record CatalogueRows<B extends DefinitionEntry>(
        Transaction transaction, CatalogueTable<B> table, CatalogueScope scope) {
    private static final String COLUMNS = "host_id, project_id, name, version, body, update_ts, aggregate_version";
    private static final String HERE = " WHERE host_id = ? AND project_id IS NOT DISTINCT FROM ?::uuid";
    private static final String ACTIVE = HERE + " AND active";
    private static final String ONE = ACTIVE + " AND name = ? AND version = ?";

    /** Maximum of all entries of a project or host together, compressed. */
    private static final int MAX_TOTAL_BYTES = 16 << 20;

    /** Maximum of one entry; well below the record limit of {@code definitions}. */
    private static final int MAX_BYTES = 512 << 10;

    /** Older deleted versions are purged. */
    private static final int MAX_DELETED = 1_000;

    /**
     * The active versions that are visible in the scope.
     *
     * @param name null for all
     */
    public List<CatalogueRow<B>> visible(@Nullable String name) {
        String visible = " WHERE host_id = ? AND active AND (project_id IS NULL OR project_id = ?::uuid)";
        return name == null ? list(visible) : list(visible + " AND name = ?", name);
    }

    /** The active versions of the scope itself, by name. */
    public List<CatalogueRow<B>> own() {
        return list(ACTIVE + " ORDER BY name, version");
    }

    /** An active version of the scope itself, locked until the transaction ends. */
    public Optional<CatalogueRow<B>> locked(String name, String version) {
        return list(ONE + " FOR UPDATE", name, version).stream().findFirst();
    }

    private List<CatalogueRow<B>> list(String condition, String... values) {
        return transaction.query(
                "SELECT " + COLUMNS + " FROM " + table.name() + condition, Columns.list(this::row), here(values));
    }

    private CatalogueRow<B> row(ResultSet row) throws SQLException {
        return new CatalogueRow<>(
                Columns.uuid(row, "host_id"),
                Columns.uuidOrNull(row, "project_id"),
                row.getString("name"),
                row.getString("version"),
                table.read(Objects.requireNonNull(row.getString("body"))),
                Columns.time(row, "update_ts"),
                row.getLong("aggregate_version"));
    }

    private @Nullable Object[] here(String... values) {
        var all = new ArrayList<@Nullable Object>();
        Collections.addAll(all, scope.host(), scope.project());
        Collections.addAll(all, values);
        return all.toArray();
    }

    /** The number of active versions. */
    public int count() {
        return number("count(*)", ACTIVE);
    }

    private int number(String expression, String condition, String... values) {
        return transaction.query(
                "SELECT " + expression + " FROM " + table.name() + condition,
                row -> row.next() ? row.getInt(1) : 0,
                here(values));
    }

    /** Inserts a version, or reuses the row of a deleted one; 0 where it exists. */
    public int insert(B body, String user) {
        return transaction.update(
                """
                INSERT INTO %s AS t (host_id, definition_id, project_id, name, version, body, update_user)
                VALUES (?, ?, ?::uuid, ?, ?, ?::jsonb, ?)
                ON CONFLICT (host_id, project_id, name, version) DO UPDATE SET active = true, body = excluded.body,
                  aggregate_version = t.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
                WHERE NOT t.active
                """.formatted(table.name()),
                scope.host(),
                NewIds.next(),
                scope.project(),
                body.name(),
                body.version(),
                JsonColumns.text(table.write(body)),
                user);
    }

    /** Replaces the body of a version. */
    public void update(B body, String user) {
        change(
                "body = ?::jsonb",
                JsonColumns.text(table.write(body)),
                user,
                scope.host(),
                scope.project(),
                body.name(),
                body.version());
    }

    /** Deletes a version. */
    public void delete(String name, String version, String user) {
        change("active = false", user, scope.host(), scope.project(), name, version);
    }

    private void change(String set, @Nullable Object... values) {
        transaction.update(
                "UPDATE " + table.name() + " SET " + set
                        + ", aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?" + ONE,
                values);
    }

    /** Removes all but the newest deleted versions. */
    public void purge() {
        transaction.update(
                """
                DELETE FROM %1$s%2$s AND NOT active AND definition_id IN (
                  SELECT definition_id FROM %1$s%2$s AND NOT active ORDER BY update_ts DESC OFFSET %3$d)
                """.formatted(table.name(), HERE, MAX_DELETED),
                scope.host(),
                scope.project(),
                scope.host(),
                scope.project());
    }

    /**
     * Checks the sizes as stored, where numbers may be longer.
     *
     * @throws ApiException 413
     */
    public void requireSize(String name, String version) {
        if (number("octet_length(body::text)", ONE, name, version) > MAX_BYTES) {
            throw ApiException.tooLarge(
                    "The %s is too large: the limit is %d KiB".formatted(table.kind(), MAX_BYTES >> 10));
        }
        if (number("sum(pg_column_size(body))", ACTIVE) > MAX_TOTAL_BYTES) {
            throw ApiException.tooLarge("The %ss of a %s are too large together: the limit is %d MiB"
                    .formatted(table.kind(), scope.project() == null ? "host" : "project", MAX_TOTAL_BYTES >> 20));
        }
    }
}
