package dev.parley.tools.files;

import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Transaction;
import dev.parley.tools.files.WorkspaceException.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL of snapshots, within a transaction that has locked the workspace. */
record SnapshotRows(Transaction transaction, UUID host, UUID project) {
    /** Maximum snapshots by users, and maximum automatic ones; the oldest automatic ones are deleted. */
    static final int MAX_SNAPSHOTS = 1_000;

    private static final String HASH = """
            SELECT count(*) AS files,
                   encode(sha256(convert_to(coalesce(string_agg(path || ' ' || sha256 || E'\\n', '' ORDER BY path), ''), 'UTF8')),
                     'hex') AS hash
              FROM tools.file_t WHERE host_id = ? AND project_id = ? AND deleted_ts IS NULL""";
    private static final String TAKE = """
            INSERT INTO tools.snapshot_t (host_id, project_id, snapshot_id, hash, file_count, reason, session_id, turn_id, step,
              update_user)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String TAKE_FILES = """
            INSERT INTO tools.snapshot_file_t (host_id, project_id, snapshot_id, file_id, version)
            SELECT host_id, project_id, ?, file_id, version
              FROM tools.file_t WHERE host_id = ? AND project_id = ? AND deleted_ts IS NULL""";
    private static final String SELECT = """
            SELECT snapshot_id, hash, file_count, reason, session_id, turn_id, step, created_ts, update_user
              FROM tools.snapshot_t WHERE host_id = ? AND project_id = ?""";
    private static final String ENTRIES = """
            SELECT s.file_id, f.path, s.version, v.metadata, v.sha256, v.size
              FROM tools.snapshot_file_t s
              JOIN tools.file_t f USING (host_id, file_id)
              JOIN tools.file_version_t v ON v.host_id = s.host_id AND v.file_id = s.file_id AND v.version = s.version
             WHERE s.host_id = ? AND s.project_id = ? AND s.snapshot_id = ? AND f.path > ? ORDER BY f.path LIMIT ?""";

    private static final String DELETE_OLD = """
            DELETE FROM tools.snapshot_t WHERE host_id = ? AND snapshot_id IN (
              SELECT snapshot_id FROM tools.snapshot_t WHERE host_id = ? AND project_id = ? AND reason <> 'user'
               ORDER BY created_ts DESC, snapshot_id DESC OFFSET %d)""".formatted(MAX_SNAPSHOTS);

    private record Tree(int files, String hash) {}

    private Tree tree() {
        return transaction.query(
                HASH,
                row -> {
                    row.next();
                    return new Tree(row.getInt("files"), row.getString("hash"));
                },
                host,
                project);
    }

    /** The hash of the current files. */
    String hash() {
        return tree().hash();
    }

    /** Takes a snapshot before the first change of a step of a turn. */
    void takeBeforeStep(Author.Call call) {
        String sql = SELECT + " AND turn_id = ? AND step = ?";
        if (transaction.query(sql, row -> !row.next(), host, project, call.turnId(), call.step())) {
            take("step", call);
        }
    }

    /** Takes a snapshot before a restoration. */
    Snapshot takeBeforeRestore(Author author) {
        return take("restore", author);
    }

    /**
     * Takes a snapshot for a user.
     *
     * @throws WorkspaceException when the maximum is reached
     */
    Snapshot takeForUser(Author author) {
        String sql = "SELECT count(*) FROM tools.snapshot_t WHERE host_id = ? AND project_id = ? AND reason = 'user'";
        int count = transaction.query(sql, row -> row.next() ? row.getInt(1) : 0, host, project);
        if (count >= MAX_SNAPSHOTS) {
            throw new WorkspaceException(
                    Kind.TOO_MANY, "the project has " + count + " snapshots; delete some that are not needed");
        }
        return take("user", author);
    }

    private Snapshot take(String reason, Author author) {
        UUID id = UUID.randomUUID();
        Tree tree = tree();
        Author.@Nullable Call call =
                author instanceof Author.Call agentCall && reason.equals("step") ? agentCall : null;
        transaction.update(
                TAKE,
                host,
                project,
                id,
                tree.hash(),
                tree.files(),
                reason,
                call == null ? null : call.sessionId(),
                call == null ? null : call.turnId(),
                call == null ? null : call.step(),
                author.name());
        transaction.update(TAKE_FILES, id, host, project);
        transaction.update(DELETE_OLD, host, host, project);
        return find(id).orElseThrow();
    }

    Optional<Snapshot> find(UUID id) {
        return transaction.query(
                SELECT + " AND snapshot_id = ?", Columns.first(SnapshotRows::snapshot), host, project, id);
    }

    /** The snapshots older than this one, newest first. */
    List<Snapshot> list(@Nullable Instant before, @Nullable UUID beforeId, int limit) {
        String sql = SELECT + " AND (?::timestamptz IS NULL OR (created_ts, snapshot_id) < (?::timestamptz, ?::uuid))"
                + " ORDER BY created_ts DESC, snapshot_id DESC LIMIT ?";
        return transaction.query(
                sql, Columns.list(SnapshotRows::snapshot), host, project, before, before, beforeId, limit);
    }

    /** The files of a snapshot after a path, ordered by path. */
    List<Snapshot.Entry> entries(UUID id, String after, int limit) {
        return transaction.query(ENTRIES, Columns.list(SnapshotRows::entry), host, project, id, after, limit);
    }

    boolean delete(UUID id) {
        return transaction.update(
                        "DELETE FROM tools.snapshot_t WHERE host_id = ? AND project_id = ? AND snapshot_id = ?",
                        host,
                        project,
                        id)
                == 1;
    }

    private static Snapshot.Entry entry(ResultSet row) throws SQLException {
        return new Snapshot.Entry(
                Columns.uuid(row, "file_id"),
                row.getString("path"),
                row.getInt("version"),
                FileMetadata.ofColumn(row.getString("metadata")),
                row.getString("sha256"),
                row.getLong("size"));
    }

    private static Snapshot snapshot(ResultSet row) throws SQLException {
        return new Snapshot(
                Columns.uuid(row, "snapshot_id"),
                row.getString("hash"),
                row.getInt("file_count"),
                row.getString("reason"),
                Columns.uuidOrNull(row, "session_id"),
                Columns.uuidOrNull(row, "turn_id"),
                row.getObject("step", Integer.class),
                Columns.time(row, "created_ts"),
                row.getString("update_user"));
    }
}
