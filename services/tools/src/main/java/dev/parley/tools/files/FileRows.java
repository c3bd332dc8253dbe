package dev.parley.tools.files;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Sql.Reader;
import dev.parley.platform.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The SQL of files and versions of a project, within a transaction; {@link Contents} stores their content. */
final class FileRows {
    private static final String COLUMNS = """
            file_id, path, mime, metadata, is_text, size, sha256, version, created_ts, update_ts, deleted_ts FROM tools.file_t""";
    private static final String LIVE =
            "SELECT " + COLUMNS + " WHERE host_id = ? AND project_id = ? AND path = ? AND deleted_ts IS NULL";
    private static final String LAST_DELETED = "SELECT " + COLUMNS
            + " WHERE host_id = ? AND project_id = ? AND path = ? AND deleted_ts IS NOT NULL ORDER BY deleted_ts DESC LIMIT 1";
    private static final String BY_ID = "SELECT " + COLUMNS + " WHERE host_id = ? AND project_id = ? AND file_id = ?";
    private static final String BELOW = "SELECT " + COLUMNS
            + " WHERE host_id = ? AND project_id = ? AND path >= ? AND path > ? AND path < ? AND deleted_ts IS NULL"
            + " ORDER BY path LIMIT ?";
    private static final String OF_TYPE_BELOW = "SELECT " + COLUMNS
            + " WHERE host_id = ? AND project_id = ? AND mime >= ? AND mime <= ? AND path >= ? AND path > ? AND path < ?"
            + " AND deleted_ts IS NULL ORDER BY path LIMIT ?";
    private static final String DELETED_BELOW = "SELECT " + COLUMNS
            + " WHERE host_id = ? AND project_id = ? AND path >= ? AND path < ? AND deleted_ts IS NOT NULL"
            + " AND (path, file_id) > (?, ?) ORDER BY path, file_id LIMIT ?";

    private static final String INSERT = """
            INSERT INTO tools.file_t (host_id, project_id, file_id, path, mime, metadata, is_text, size, sha256, version, update_user)
            VALUES (?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, 1, ?)""";
    private static final String UPDATE = """
            UPDATE tools.file_t SET mime = ?, metadata = ?::jsonb, is_text = ?, size = ?, sha256 = ?, version = ?, deleted_ts = NULL,
              update_ts = clock_timestamp(), update_user = ?
             WHERE host_id = ? AND file_id = ?""";
    private static final String DELETE = """
            UPDATE tools.file_t SET version = ?, deleted_ts = clock_timestamp(), update_ts = clock_timestamp(), update_user = ?
             WHERE host_id = ? AND file_id = ?""";
    private static final String INSERT_VERSION = """
            INSERT INTO tools.file_version_t (host_id, project_id, file_id, version, storage_kind, base_version, content, mime, metadata,
              is_text, size, sha256, author_kind, author, session_id, turn_id, top_turn_id, step, call_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String VERSIONS = """
            SELECT v.file_id, f.path, v.version, v.mime, v.metadata, v.size, v.sha256, v.author_kind, v.author, v.session_id, v.turn_id, v.step,
                   v.call_id, v.created_ts
              FROM tools.file_version_t v JOIN tools.file_t f USING (host_id, file_id)
             WHERE v.host_id = ? AND v.project_id = ?""";

    private static final String CHANGED_BY = """
            WITH made AS (
              SELECT file_id, min(version) AS first FROM tools.file_version_t
               WHERE host_id = ? AND project_id = ? AND (top_turn_id = ANY (?::uuid[]) OR turn_id = ANY (?::uuid[])) GROUP BY file_id)
            SELECT f.file_id, m.first, f.version, NOT EXISTS (
                SELECT 1 FROM tools.file_version_t v
                 WHERE v.host_id = f.host_id AND v.file_id = f.file_id AND v.version > m.first
                   AND (v.top_turn_id = ANY (?::uuid[]) OR v.turn_id = ANY (?::uuid[])) IS NOT TRUE
                   AND NOT EXISTS (
                     SELECT 1 FROM tools.reversion_t r
                      WHERE r.host_id = v.host_id AND r.project_id = v.project_id AND r.undone_ts IS NULL
                        AND r.turns && ARRAY[v.top_turn_id, v.turn_id])
                   AND NOT EXISTS (
                     SELECT 1 FROM tools.reversion_t r
                      WHERE r.host_id = v.host_id AND r.project_id = v.project_id AND v.file_id = ANY (r.files)
                        AND EXISTS (SELECT 1 FROM unnest(r.files, r.to_versions) AS c (file, version)
                                     WHERE c.file = v.file_id AND c.version = v.version))) AS alone
              FROM made m JOIN tools.file_t f ON f.host_id = ? AND f.file_id = m.file_id ORDER BY f.path LIMIT ?""";

    private final Transaction transaction;
    private final UUID host;
    private final UUID project;
    private final Contents contents;

    FileRows(Transaction transaction, UUID host, UUID project, BlobStore blobs) {
        this.transaction = transaction;
        this.host = host;
        this.project = project;
        this.contents = new Contents(transaction, host, project, blobs);
    }

    // ---- files

    Optional<FileInfo> live(FilePath path) {
        return first(LIVE, FileRows::info, host, project, path.value());
    }

    /** The existing file, else the last deleted one of this path. */
    Optional<FileInfo> any(FilePath path) {
        return live(path).or(() -> first(LAST_DELETED, FileRows::info, host, project, path.value()));
    }

    Optional<FileInfo> byId(UUID file) {
        return first(BY_ID, FileRows::info, host, project, file);
    }

    /** The files whose paths have this prefix, after a path, ordered by path. */
    List<FileInfo> below(String prefix, String after, int limit) {
        return list(BELOW, FileRows::info, host, project, prefix, after, beyond(prefix), limit);
    }

    /** The files below a prefix, restricted to the type of a filter. */
    List<FileInfo> below(String prefix, FileFilter filter, String after, int limit) {
        String first = filter.firstType().orElse(null);
        return first == null
                ? below(prefix, after, limit)
                : list(
                        OF_TYPE_BELOW,
                        FileRows::info,
                        host,
                        project,
                        first,
                        filter.lastType(),
                        prefix,
                        after,
                        beyond(prefix),
                        limit);
    }

    List<FileInfo> deletedBelow(String prefix, String afterPath, UUID afterId, int limit) {
        return list(DELETED_BELOW, FileRows::info, host, project, prefix, beyond(prefix), afterPath, afterId, limit);
    }

    /** An upper bound of all paths with this prefix: no path contains this character. */
    private static String beyond(String prefix) {
        return prefix + Character.toString(Character.MAX_CODE_POINT);
    }

    /** Whether a folder has this path. */
    boolean isFolder(FilePath path) {
        return !below(path.prefix(), "", 1).isEmpty();
    }

    /** The number of existing files. */
    int count() {
        return transaction.query(
                "SELECT count(*) FROM tools.file_t WHERE host_id = ? AND project_id = ? AND deleted_ts IS NULL",
                row -> row.next() ? row.getInt(1) : 0,
                host,
                project);
    }

    // ---- versions

    /** The version that a tool call has created. */
    Optional<FileVersion> createdBy(UUID call) {
        return first(VERSIONS + " AND v.call_id = ?", FileRows::version, host, project, call);
    }

    Optional<FileVersion> version(UUID file, int version) {
        return first(
                VERSIONS + " AND v.file_id = ? AND v.version = ?", FileRows::version, host, project, file, version);
    }

    /** The versions older than this one, newest first. */
    List<FileVersion> versions(UUID file, int before, int limit) {
        String sql = VERSIONS + " AND v.file_id = ? AND v.version < ? ORDER BY v.version DESC LIMIT ?";
        return list(sql, FileRows::version, host, project, file, before, limit);
    }

    /** The versions that a turn has created, in order. */
    List<FileVersion> ofTurn(UUID turn, int limit) {
        String sql = VERSIONS + " AND v.turn_id = ? ORDER BY v.step, f.path, v.version LIMIT ?";
        return list(sql, FileRows::version, host, project, turn, limit);
    }

    /**
     * The changes of a file by turns and their delegates.
     *
     * @param first number of the first version that they created
     * @param current number of the current version
     * @param isUnchangedSince whether there are no other changes since, except for reverted ones
     */
    record TurnChanges(UUID file, int first, int current, boolean isUnchangedSince) {}

    /** The changes of files by turns, ordered by path. */
    List<TurnChanges> changedBy(List<UUID> turns, int limit) {
        return list(
                CHANGED_BY,
                row -> new TurnChanges(
                        Columns.uuid(row, "file_id"),
                        row.getInt("first"),
                        row.getInt("version"),
                        row.getBoolean("alone")),
                host,
                project,
                Sql.texts(turns),
                Sql.texts(turns),
                Sql.texts(turns),
                Sql.texts(turns),
                host,
                limit);
    }

    /** Creates a file; none of this path exists. */
    FileVersion create(FilePath path, Content content, String mime, FileMetadata metadata, Author author) {
        UUID id = UUID.randomUUID();
        transaction.update(
                INSERT,
                host,
                project,
                id,
                path.value(),
                mime,
                metadata.json(),
                content.isText(),
                (long) content.size(),
                content.sha256(),
                author.name());
        return insert(id, 1, contents.store(content), content, mime, metadata, author);
    }

    /** Adds the next version of a file; a deleted file is restored. */
    FileVersion append(FileInfo file, Content content, String mime, FileMetadata metadata, Author author) {
        int next = file.version() + 1;
        Contents.Stored stored = contents.store(content, file);
        transaction.update(
                UPDATE,
                mime,
                metadata.json(),
                content.isText(),
                (long) content.size(),
                content.sha256(),
                next,
                author.name(),
                host,
                file.id());
        return insert(file.id(), next, stored, content, mime, metadata, author);
    }

    /** Adds the deletion of a file as a version. */
    FileVersion delete(FileInfo file, Author author) {
        int next = file.version() + 1;
        transaction.update(DELETE, next, author.name(), host, file.id());
        return insert(
                file.id(),
                next,
                new Contents.Stored("deleted", next, null),
                null,
                file.mime(),
                file.metadata(),
                author);
    }

    private FileVersion insert(
            UUID file,
            int version,
            Contents.Stored stored,
            @Nullable Content content,
            String mime,
            FileMetadata metadata,
            Author author) {
        Author.@Nullable Call call = author instanceof Author.Call agentCall ? agentCall : null;
        transaction.update(
                INSERT_VERSION,
                host,
                project,
                file,
                version,
                stored.kind(),
                stored.base(),
                stored.content(),
                mime,
                metadata.json(),
                content != null && content.isText(),
                content == null ? 0L : (long) content.size(),
                content == null ? null : content.sha256(),
                call == null ? "user" : "agent",
                author.name(),
                call == null ? null : call.sessionId(),
                call == null ? null : call.turnId(),
                call == null ? null : call.top(),
                call == null ? null : call.step(),
                call == null ? null : call.callId());
        return version(file, version).orElseThrow();
    }

    /**
     * The content of a version of a file.
     *
     * @throws WorkspaceException when there is no such version, or it is damaged
     */
    Content read(UUID file, int version) {
        return contents.read(file, version);
    }

    // ---- rows

    private <T> Optional<T> first(String sql, Reader<T> row, Object... values) {
        return transaction.query(sql, Columns.first(row), values);
    }

    private <T> List<T> list(String sql, Reader<T> row, Object... values) {
        return transaction.query(sql, Columns.list(row), values);
    }

    private static FileInfo info(ResultSet row) throws SQLException {
        return new FileInfo(
                Columns.uuid(row, "file_id"),
                row.getString("path"),
                row.getString("mime"),
                FileMetadata.ofColumn(row.getString("metadata")),
                row.getBoolean("is_text"),
                row.getLong("size"),
                row.getString("sha256"),
                row.getInt("version"),
                Columns.time(row, "created_ts"),
                Columns.time(row, "update_ts"),
                Columns.timeOrNull(row, "deleted_ts"));
    }

    private static FileVersion version(ResultSet row) throws SQLException {
        return new FileVersion(
                Columns.uuid(row, "file_id"),
                row.getString("path"),
                row.getInt("version"),
                row.getString("mime"),
                FileMetadata.ofColumn(row.getString("metadata")),
                row.getLong("size"),
                row.getString("sha256"),
                row.getString("author_kind").equals("agent"),
                row.getString("author"),
                Columns.uuidOrNull(row, "session_id"),
                Columns.uuidOrNull(row, "turn_id"),
                row.getObject("step", Integer.class),
                Columns.uuidOrNull(row, "call_id"),
                Columns.time(row, "created_ts"));
    }
}
