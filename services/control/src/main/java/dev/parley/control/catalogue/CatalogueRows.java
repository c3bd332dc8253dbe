package dev.parley.control.catalogue;

import dev.parley.control.definitions.CatalogueRow;
import dev.parley.control.definitions.CatalogueTable;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.control.definitions.Entry;
import dev.parley.control.http.JsonColumns;
import dev.parley.control.http.NewIds;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.ApiException;
import org.jspecify.annotations.Nullable;

/** Statements that write the tables of the catalogue. */
final class CatalogueRows {
    /** Condition for the active rows of a scope. */
    static final String ACTIVE = CatalogueRow.HERE + " AND active";

    /** Maximum of all entries of a project or host together, compressed. */
    private static final int MAX_TOTAL_BYTES = 16 << 20;

    /** Maximum of one entry; well below the record limit of {@code definitions}. */
    private static final int MAX_BYTES = 512 << 10;

    /** Older deleted versions are purged. */
    private static final int MAX_DELETED = 1_000;

    private CatalogueRows() {}

    static <B extends Entry> int insert(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> table, B body) {
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
                scope.projectId(),
                body.name(),
                body.version(),
                JsonColumns.text(table.write(body)),
                scope.caller().user());
    }

    static <B extends Entry> void update(
            Transaction transaction, DefinitionScope scope, CatalogueTable<B> table, B body) {
        transaction.update(
                "UPDATE " + table.name()
                        + " SET body = ?::jsonb, aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?"
                        + ACTIVE + " AND name = ? AND version = ?",
                JsonColumns.text(table.write(body)),
                scope.caller().user(),
                scope.host(),
                scope.projectId(),
                body.name(),
                body.version());
    }

    static void delete(
            Transaction transaction, DefinitionScope scope, CatalogueTable<?> table, String name, String version) {
        transaction.update(
                "UPDATE " + table.name()
                        + " SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(), update_user = ?"
                        + ACTIVE + " AND name = ? AND version = ?",
                scope.caller().user(),
                scope.host(),
                scope.projectId(),
                name,
                version);
    }

    static void purge(Transaction transaction, CatalogueTable<?> table, DefinitionScope scope) {
        transaction.update(
                "DELETE FROM %1$s%2$s AND NOT active AND definition_id IN (SELECT definition_id FROM %1$s%2$s AND NOT active ORDER BY update_ts DESC OFFSET %3$d)"
                        .formatted(table.name(), CatalogueRow.HERE, MAX_DELETED),
                scope.host(),
                scope.projectId(),
                scope.host(),
                scope.projectId());
    }

    /**
     * Checks the sizes as stored, where numbers may be longer.
     *
     * @throws ApiException 413
     */
    static void requireSize(
            Transaction transaction, DefinitionScope scope, CatalogueTable<?> table, String name, String version) {
        int size = queryInt(
                transaction,
                "SELECT octet_length(body::text) FROM " + table.name() + ACTIVE + " AND name = ? AND version = ?",
                scope.host(),
                scope.projectId(),
                name,
                version);
        if (size > MAX_BYTES) {
            throw ApiException.tooLarge(
                    "The %s is too large: the limit is %d KiB".formatted(table.kind(), MAX_BYTES >> 10));
        }
        int total = queryInt(
                transaction,
                "SELECT sum(pg_column_size(body)) FROM " + table.name() + ACTIVE,
                scope.host(),
                scope.projectId());
        if (total > MAX_TOTAL_BYTES) {
            throw ApiException.tooLarge("The %ss of a %s are too large together: the limit is %d MiB"
                    .formatted(table.kind(), scope.word(), MAX_TOTAL_BYTES >> 20));
        }
    }

    private static int queryInt(Transaction transaction, String sql, @Nullable Object... values) {
        return transaction.query(sql, row -> row.next() ? row.getInt(1) : 0, values);
    }
}
