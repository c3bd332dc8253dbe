package dev.parley.tools.files;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * The workspaces of all projects.
 *
 * @param database with the schema {@link dev.parley.tools.ToolsSchema}
 * @param blobs stores binary content; only this class removes blobs there
 */
public record Workspaces(Database database, BlobStore blobs) {
    /** The retention of automatic snapshots. */
    static final Duration RETENTION = Duration.ofDays(30);

    /** Minimum age of unreferenced blobs that are removed: a running transaction may reference younger ones. */
    private static final Duration MIN_BLOB_AGE = Duration.ofDays(1);

    private static final int BATCH = 5_000;
    private static final String MARK_ERASED = """
            INSERT INTO tools.workspace_t (host_id, project_id, erased_ts) VALUES (?, ?, now())
            ON CONFLICT (host_id, project_id) DO UPDATE SET erased_ts = coalesce(workspace_t.erased_ts, excluded.erased_ts)""";
    /** Tables in the order of deletion: each references tables that follow. */
    private static final List<String> TABLES =
            List.of("reversion_t", "snapshot_file_t", "snapshot_t", "file_version_t", "file_t");

    private static final String ERASE_BATCH = """
            DELETE FROM tools.%1$s WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM tools.%1$s WHERE host_id = ? AND project_id = ? LIMIT %2$d))""";
    private static final String DELETE_OLD_ENTRIES = """
            DELETE FROM tools.snapshot_file_t WHERE ctid = ANY (ARRAY(
              SELECT f.ctid FROM tools.snapshot_t s JOIN tools.snapshot_file_t f USING (host_id, snapshot_id)
               WHERE s.reason <> 'user' AND s.created_ts < clock_timestamp() - ? * interval '1 second' LIMIT %d))""".formatted(BATCH);
    private static final String DELETE_OLD_SNAPSHOTS = """
            DELETE FROM tools.snapshot_t s WHERE s.reason <> 'user' AND s.created_ts < clock_timestamp() - ? * interval '1 second'
               AND NOT EXISTS (SELECT FROM tools.snapshot_file_t f WHERE f.host_id = s.host_id AND f.snapshot_id = s.snapshot_id)""";
    private static final String DELETE_OLD_REVERSIONS =
            "DELETE FROM tools.reversion_t WHERE created_ts < clock_timestamp() - ? * interval '1 second'";
    private static final String REFERENCED = """
            SELECT DISTINCT sha256 FROM tools.file_version_t WHERE storage_kind = 'blob' AND sha256 = ANY (?::text[])""";

    /** The workspaces with their own folder of blobs, whose retention differs from that of sessions. */
    public static Workspaces in(Database database, BlobStore blobs) {
        return new Workspaces(database, blobs.within("workspaces"));
    }

    /** The workspace of a project. */
    public Workspace of(UUID host, UUID project) {
        return new Workspace(this, host, project);
    }

    /** Whether the tables exist: the first instance with the role {@code tools} creates them. */
    boolean exist() {
        return database.in(
                Tenant.ALL,
                transaction -> transaction.query(
                        "SELECT to_regclass('tools.file_t') IS NOT NULL", row -> row.next() && row.getBoolean(1)));
    }

    /** Reads files for archives. */
    <T> T archived(UUID host, UUID project, Function<ArchivedRows, T> reading) {
        return database.in(
                Tenant.of(host).project(project), transaction -> reading.apply(archived(transaction, host, project)));
    }

    ArchivedRows archived(Transaction transaction, UUID host, UUID project) {
        return new ArchivedRows(transaction, host, project, blobs);
    }

    /**
     * Removes all files of a project with their versions and snapshots, and rejects later writes. Blobs are removed
     * when they are a day old, unless another project has the same content.
     *
     * @return the number of removed rows
     */
    public long erase(UUID host, UUID project) {
        var sql = new Sql(database).as(Tenant.of(host).project(project));
        sql.update(MARK_ERASED, host, project);
        long removed = 0;
        for (String table : TABLES) {
            String delete = ERASE_BATCH.formatted(table, BATCH);
            for (int rows = sql.update(delete, host, project); rows > 0; rows = sql.update(delete, host, project)) {
                removed += rows;
            }
        }
        return removed;
    }

    /** Removes old automatic snapshots and reversions, and unreferenced blobs. */
    void cleanUp() throws IOException {
        deleteOlderThan(RETENTION);
        blobs.sweep(MIN_BLOB_AGE, this::referenced);
    }

    void deleteOlderThan(Duration age) {
        var sql = new Sql(database).as(Tenant.ALL);
        while (sql.update(DELETE_OLD_ENTRIES, age.toSeconds()) > 0) {
            // next batch
        }
        sql.update(DELETE_OLD_SNAPSHOTS, age.toSeconds());
        sql.update(DELETE_OLD_REVERSIONS, age.toSeconds());
    }

    Optional<Set<String>> referenced(List<String> addresses) {
        Object array = addresses.toArray(String[]::new);
        return Optional.of(Set.copyOf(new Sql(database)
                .as(Tenant.ALL)
                .query(REFERENCED, Columns.list(row -> row.getString("sha256")), array)));
    }
}
