package dev.parley.tools.files;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.tools.files.Workspace.Tables;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The workspaces of all projects. SQL by hand empties tables by name. */
@Singleton
public final class Workspaces {
    /** The retention of automatic snapshots. */
    static final Duration RETENTION = Duration.ofDays(30);

    /** Minimum age of unreferenced blobs that are removed: a running transaction may reference younger ones. */
    private static final Duration MIN_BLOB_AGE = Duration.ofDays(1);

    private static final int BATCH = 5_000;

    /** Tables in the order of deletion: each references tables that follow. */
    private static final List<String> TABLES =
            List.of("reversion_t", "snapshot_file_t", "snapshot_t", "file_version_t", "file_t");

    private static final String ERASE_BATCH = """
            DELETE FROM tools.%1$s WHERE ctid = ANY (ARRAY(
              SELECT ctid FROM tools.%1$s WHERE host_id = ? AND project_id = ? LIMIT %2$d))""";

    private final Database database;
    private final BlobStore blobs;
    private final WorkspaceTables tables;

    /** @param blobs where binary content is stored, in a folder whose retention differs from that of sessions */
    Workspaces(Database database, BlobStore blobs, WorkspaceTables tables) {
        this.database = database;
        this.blobs = blobs.within("workspaces");
        this.tables = tables;
    }

    /** The workspace of a project. */
    public Workspace of(UUID host, UUID project) {
        var contents = new Contents(host, project, tables.versions(), blobs);
        var files = new ProjectFiles(host, project, tables.files(), tables.versions(), contents);
        var snapshots = new Snapshots(host, project, tables.snapshots());
        return new Workspace(database, new Tables(host, project, files, snapshots, tables.reversions()));
    }

    /** Binary content; only this class removes blobs there. */
    BlobStore blobs() {
        return blobs;
    }

    /** Whether the tables exist: the first instance with the role {@code tools} creates them. */
    boolean exist() {
        return database.in(Tenant.ALL, tables.files()::exist);
    }

    /**
     * Removes all files of a project with their versions and snapshots, and rejects later writes. Blobs are removed
     * when they are a day old, unless another project has the same content.
     *
     * @return the number of removed rows
     */
    public long erase(UUID host, UUID project) {
        Tenant tenant = Tenant.of(host).project(project);
        database.in(tenant, () -> tables.files().markErased(host, project));
        var sql = new Sql(database).as(tenant);
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
        SnapshotRows snapshots = tables.snapshots();
        long seconds = age.toSeconds();
        while (database.in(Tenant.ALL, () -> snapshots.deleteOldFiles(seconds, BATCH)) > 0) {
            // next batch
        }
        database.in(Tenant.ALL, () -> snapshots.deleteOld(seconds));
        database.in(Tenant.ALL, () -> tables.reversions().deleteOld(seconds));
    }

    Optional<Set<String>> referenced(List<String> addresses) {
        return Optional.of(
                Set.copyOf(database.in(Tenant.ALL, () -> tables.versions().referenced(addresses))));
    }
}
