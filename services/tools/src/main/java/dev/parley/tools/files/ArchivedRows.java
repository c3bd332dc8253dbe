package dev.parley.tools.files;

import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of exporting and importing files with all their versions. It is separate from {@link FileRows} because
 * imported files keep their version numbers, authors and times.
 */
final class ArchivedRows {
    private static final String FILES = """
            SELECT file_id FROM tools.file_t
             WHERE host_id = ? AND project_id = ? AND file_id > ? AND created_ts <= ? ORDER BY file_id LIMIT ?""";
    private static final String VERSIONS = """
            SELECT v.*, f.path FROM tools.file_version_t v JOIN tools.file_t f USING (host_id, file_id)
             WHERE v.host_id = ? AND v.project_id = ? AND v.file_id = ? AND v.version > ? AND v.created_ts <= ?
             ORDER BY v.version LIMIT ?""";
    private static final String IMPORT_STATE =
            "SELECT version, deleted_ts IS NULL AS live FROM tools.file_t WHERE host_id = ? AND project_id = ? AND file_id = ?";
    private static final String INSERT_FILE = """
            INSERT INTO tools.file_t
              (host_id, project_id, file_id, path, mime, metadata, is_text, size, sha256, version, created_ts, deleted_ts, update_ts,
               update_user)
            VALUES (?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, 1, ?, ?, ?, ?)""";
    private static final String UPDATE_FILE = """
            UPDATE tools.file_t SET mime = ?, metadata = ?::jsonb, is_text = ?, size = ?, sha256 = ?, version = ?, deleted_ts = ?,
              update_ts = ?, update_user = ?
             WHERE host_id = ? AND file_id = ?""";
    private static final String DELETE_FILE = """
            UPDATE tools.file_t SET version = ?, deleted_ts = ?, update_ts = ?, update_user = ? WHERE host_id = ? AND file_id = ?""";
    private static final String SHOW = "UPDATE tools.file_t SET deleted_ts = NULL WHERE host_id = ? AND file_id = ?";
    private static final String INSERT_VERSION = """
            INSERT INTO tools.file_version_t
              (host_id, project_id, file_id, version, storage_kind, base_version, content, mime, metadata, is_text, size, sha256,
               author_kind, author, session_id, turn_id, top_turn_id, step, call_id, created_ts)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private final Transaction transaction;
    private final UUID host;
    private final UUID project;
    private final Contents contents;

    ArchivedRows(Transaction transaction, UUID host, UUID project, BlobStore blobs) {
        this.transaction = transaction;
        this.host = host;
        this.project = project;
        this.contents = new Contents(transaction, host, project, blobs);
    }

    /** The ids of the files that existed at a time, after this id. */
    List<UUID> files(UUID after, Instant asOf, int limit) {
        return transaction.query(
                FILES, Columns.list(row -> row.getObject(1, UUID.class)), host, project, after, time(asOf), limit);
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** A version without its content, and whether the content is text. */
    record Listed(ArchivedVersion version, boolean text) {}

    /** The versions of a file that existed at a time, after this one. */
    List<Listed> versions(UUID file, int after, Instant asOf, int limit) {
        return transaction.query(
                VERSIONS, Columns.list(ArchivedRows::listed), host, project, file, after, time(asOf), limit);
    }

    private static Listed listed(ResultSet row) throws SQLException {
        return new Listed(version(row), row.getBoolean("is_text"));
    }

    private static ArchivedVersion version(ResultSet row) throws SQLException {
        return new ArchivedVersion(
                Columns.uuid(row, "file_id"),
                row.getString("path"),
                row.getInt("version"),
                row.getString("mime"),
                FileMetadata.ofColumn(row.getString("metadata")).json(),
                null,
                row.getString("sha256"),
                row.getString("author_kind"),
                row.getString("author"),
                Columns.uuidOrNull(row, "session_id"),
                Columns.uuidOrNull(row, "turn_id"),
                Columns.uuidOrNull(row, "top_turn_id"),
                row.getObject("step", Integer.class),
                Columns.uuidOrNull(row, "call_id"),
                Columns.time(row, "created_ts").toString());
    }

    /**
     * The content of a version.
     *
     * @throws WorkspaceException when it is damaged
     */
    Content content(ArchivedVersion version) {
        return contents.read(version.file(), version.version());
    }

    /** The state of a file during an import: its newest version, and whether it is visible. */
    record ImportState(int version, boolean live) {}

    Optional<ImportState> importState(UUID file) {
        return transaction.query(
                IMPORT_STATE,
                Columns.first(row -> new ImportState(row.getInt("version"), row.getBoolean("live"))),
                host,
                project,
                file);
    }

    /**
     * Adds the next version of a file, which stays hidden as deleted until its import is complete.
     *
     * @param content null for the deletion of the file
     */
    void add(ArchivedVersion version, @Nullable Content content) {
        OffsetDateTime timestamp = time(Instant.parse(version.at()));
        if (content == null) {
            transaction.update(
                    DELETE_FILE, version.version(), timestamp, timestamp, version.author(), host, version.file());
            insert(version, new Contents.Stored("deleted", version.version(), null), null, timestamp);
        } else if (version.version() == 1) {
            insertFile(version, content, timestamp);
            insert(version, contents.store(content), content, timestamp);
        } else {
            Contents.Stored stored = contents.store(content, version.file(), version.version());
            updateFile(version, content, timestamp);
            insert(version, stored, content, timestamp);
        }
    }

    private void insertFile(ArchivedVersion version, Content content, OffsetDateTime timestamp) {
        transaction.update(
                INSERT_FILE,
                host,
                project,
                version.file(),
                version.path(),
                version.mime(),
                metadata(version),
                content.isText(),
                (long) content.size(),
                content.sha256(),
                timestamp,
                timestamp,
                timestamp,
                version.author());
    }

    private void updateFile(ArchivedVersion version, Content content, OffsetDateTime timestamp) {
        transaction.update(
                UPDATE_FILE,
                version.mime(),
                metadata(version),
                content.isText(),
                (long) content.size(),
                content.sha256(),
                version.version(),
                timestamp,
                timestamp,
                version.author(),
                host,
                version.file());
    }

    private static String metadata(ArchivedVersion version) {
        String json = version.metadata();
        return (json == null ? FileMetadata.NONE : FileMetadata.read(json)).json();
    }

    private void insert(
            ArchivedVersion version, Contents.Stored stored, @Nullable Content content, OffsetDateTime timestamp) {
        transaction.update(
                INSERT_VERSION,
                host,
                project,
                version.file(),
                version.version(),
                stored.kind(),
                stored.base(),
                stored.content(),
                version.mime(),
                metadata(version),
                content != null && content.isText(),
                content == null ? 0L : (long) content.size(),
                content == null ? null : content.sha256(),
                version.by(),
                version.author(),
                version.session(),
                version.turn(),
                version.top(),
                version.step(),
                version.call(),
                timestamp);
    }

    /** Shows a file whose import is complete. */
    void show(UUID file) {
        transaction.update(SHOW, host, file);
    }
}
