package dev.parley.tools.files;

import com.github.difflib.patch.PatchFailedException;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Sql.Reader;
import dev.parley.platform.database.Transaction;
import dev.parley.tools.files.WorkspaceException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The files of a project and their versions, in a transaction. The first version of a text is kept whole, those that follow as patches,
 * and every so often one whole again; other bytes lie in the blob folder. What is read is held against its SHA-256.
 */
final class FileRows {
    /** Of so many versions one is whole: reading applies fewer patches. Measured; docs/performance.md. */
    static final int CHECKPOINT = 50;

    /** Texts that are larger, in bytes or lines, are kept whole in the blob folder. */
    static final int MOST_TEXT = 8 << 20;

    private static final int MOST_LINES = 200_000;

    private static final String COLUMNS = """
            file_id, path, mime, is_text, size, sha256, version, created_ts, update_ts, deleted_ts FROM tools.file_t""";
    private static final String LIVE =
            "SELECT " + COLUMNS + " WHERE host_id = ? AND project_id = ? AND path = ? AND deleted_ts IS NULL";
    private static final String LAST_DELETED = "SELECT " + COLUMNS
            + " WHERE host_id = ? AND project_id = ? AND path = ? AND deleted_ts IS NOT NULL ORDER BY deleted_ts DESC LIMIT 1";
    private static final String BY_ID = "SELECT " + COLUMNS + " WHERE host_id = ? AND project_id = ? AND file_id = ?";
    private static final String BELOW = "SELECT " + COLUMNS
            + " WHERE host_id = ? AND project_id = ? AND path >= ? AND path < ? AND deleted_ts IS NULL ORDER BY path";
    private static final String DELETED_BELOW = "SELECT " + COLUMNS
            + " WHERE host_id = ? AND project_id = ? AND path >= ? AND path < ? AND deleted_ts IS NOT NULL"
            + " AND (path, file_id) > (?, ?) ORDER BY path, file_id LIMIT ?";

    private static final String INSERT = """
            INSERT INTO tools.file_t (host_id, project_id, file_id, path, mime, is_text, size, sha256, version, update_user)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?)""";
    private static final String UPDATE = """
            UPDATE tools.file_t SET mime = ?, is_text = ?, size = ?, sha256 = ?, version = ?, deleted_ts = NULL,
              update_ts = clock_timestamp(), update_user = ?
             WHERE host_id = ? AND file_id = ?""";
    private static final String DELETE = """
            UPDATE tools.file_t SET version = ?, deleted_ts = clock_timestamp(), update_ts = clock_timestamp(), update_user = ?
             WHERE host_id = ? AND file_id = ?""";
    private static final String INSERT_VERSION = """
            INSERT INTO tools.file_version_t (host_id, project_id, file_id, version, storage_kind, base_version, content, mime, is_text,
              size, sha256, author_kind, author, session_id, turn_id, step, call_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String CHAIN = """
            SELECT v.version, v.content, v.sha256
              FROM tools.file_version_t w
              JOIN tools.file_version_t v ON v.host_id = w.host_id AND v.file_id = w.file_id
               AND v.version BETWEEN w.base_version AND w.version
             WHERE w.host_id = ? AND w.project_id = ? AND w.file_id = ? AND w.version = ? ORDER BY v.version""";
    private static final String VERSIONS = """
            SELECT v.file_id, f.path, v.version, v.size, v.sha256, v.author_kind, v.author, v.session_id, v.turn_id, v.step, v.call_id,
                   v.created_ts
              FROM tools.file_version_t v JOIN tools.file_t f USING (host_id, file_id)
             WHERE v.host_id = ? AND v.project_id = ?""";

    private final Transaction transaction;
    private final UUID host;
    private final UUID project;
    private final BlobStore blobs;

    FileRows(Transaction transaction, UUID host, UUID project, BlobStore blobs) {
        this.transaction = transaction;
        this.host = host;
        this.project = project;
        this.blobs = blobs;
    }

    /** A link of the chain that a version is read from. */
    private record Link(
            int version, @Nullable String content, @Nullable String sha256) {
        boolean isInline() {
            return content != null;
        }

        String inline() {
            return Objects.requireNonNull(content);
        }
    }

    /** How a version is kept. */
    private record Stored(String kind, int base, @Nullable String content) {}

    // ---- files

    Optional<FileInfo> live(FilePath path) {
        return first(LIVE, FileRows::info, host, project, path.value());
    }

    /** The file that is there, else the one of this path that was deleted last. */
    Optional<FileInfo> any(FilePath path) {
        return live(path).or(() -> first(LAST_DELETED, FileRows::info, host, project, path.value()));
    }

    Optional<FileInfo> byId(UUID file) {
        return first(BY_ID, FileRows::info, host, project, file);
    }

    /** Those whose paths begin so, and come after this one. */
    List<FileInfo> below(String prefix, String after) {
        String from = after.startsWith(prefix) ? after : prefix;
        return list(BELOW, FileRows::info, host, project, from, beyond(prefix)).stream()
                .filter(file -> !file.path().equals(after))
                .toList();
    }

    List<FileInfo> deletedBelow(String prefix, String afterPath, UUID afterId, int limit) {
        return list(DELETED_BELOW, FileRows::info, host, project, prefix, beyond(prefix), afterPath, afterId, limit);
    }

    /** What is greater than everything that begins so: no path has this character. */
    private static String beyond(String prefix) {
        return prefix + Character.toString(Character.MAX_CODE_POINT);
    }

    /** Whether a folder has this name. */
    boolean isFolder(FilePath path) {
        return !list(BELOW + " LIMIT 1", FileRows::info, host, project, path.prefix(), beyond(path.prefix()))
                .isEmpty();
    }

    /** How many there are. */
    int count() {
        return transaction.query(
                "SELECT count(*) FROM tools.file_t WHERE host_id = ? AND project_id = ? AND deleted_ts IS NULL",
                row -> row.next() ? row.getInt(1) : 0,
                host,
                project);
    }

    // ---- versions

    /** The version that a tool call has made. */
    Optional<FileVersion> madeBy(UUID call) {
        return first(VERSIONS + " AND v.call_id = ?", FileRows::version, host, project, call);
    }

    Optional<FileVersion> version(UUID file, int version) {
        return first(
                VERSIONS + " AND v.file_id = ? AND v.version = ?", FileRows::version, host, project, file, version);
    }

    /** The newest first, and older than this one. */
    List<FileVersion> versions(UUID file, int before, int limit) {
        String sql = VERSIONS + " AND v.file_id = ? AND v.version < ? ORDER BY v.version DESC LIMIT ?";
        return list(sql, FileRows::version, host, project, file, before, limit);
    }

    /** Those that a turn has made, in the order in which it did. */
    List<FileVersion> ofTurn(UUID turn, int limit) {
        String sql = VERSIONS + " AND v.turn_id = ? ORDER BY v.step, f.path, v.version LIMIT ?";
        return list(sql, FileRows::version, host, project, turn, limit);
    }

    /** A new file. Nothing of this path is there. */
    FileVersion create(FilePath path, Content content, String mime, Author author) {
        UUID id = UUID.randomUUID();
        transaction.update(
                INSERT,
                host,
                project,
                id,
                path.value(),
                mime,
                content.isText(),
                (long) content.size(),
                content.sha256(),
                author.name());
        return insert(id, 1, stored(content, List.of(), 1), content, mime, author);
    }

    /** The next version of a file; of a deleted one, too, which is there again. */
    FileVersion append(FileInfo file, Content content, String mime, Author author) {
        int next = file.version() + 1;
        Stored stored = stored(content, chain(file.id(), file.version()), next);
        transaction.update(
                UPDATE,
                mime,
                content.isText(),
                (long) content.size(),
                content.sha256(),
                next,
                author.name(),
                host,
                file.id());
        return insert(file.id(), next, stored, content, mime, author);
    }

    /** The version that says that the file is gone. */
    FileVersion delete(FileInfo file, Author author) {
        int next = file.version() + 1;
        transaction.update(DELETE, next, author.name(), host, file.id());
        return insert(file.id(), next, new Stored("deleted", next, null), null, file.mime(), author);
    }

    private FileVersion insert(
            UUID file, int version, Stored stored, @Nullable Content content, String mime, Author author) {
        Author.@Nullable Call call = author instanceof Author.Call made ? made : null;
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
                content != null && content.isText(),
                content == null ? 0L : (long) content.size(),
                content == null ? null : content.sha256(),
                call == null ? "user" : "agent",
                author.name(),
                call == null ? null : call.sessionId(),
                call == null ? null : call.turnId(),
                call == null ? null : call.step(),
                call == null ? null : call.callId());
        return version(file, version).orElseThrow();
    }

    /** @param chain what the version before is read from */
    private Stored stored(Content content, List<Link> chain, int version) {
        String text = content.text();
        if (text == null
                || content.size() > MOST_TEXT
                || text.lines().limit(MOST_LINES + 1L).count() > MOST_LINES) {
            keep(content);
            return new Stored("blob", version, null);
        }
        if (chain.isEmpty() || chain.size() >= CHECKPOINT || !chain.getLast().isInline()) {
            return new Stored("full", version, text);
        }
        String before = text(chain);
        String patch = TextPatch.between(before, text);
        int patches = patch.length()
                + chain.stream()
                        .skip(1)
                        .mapToInt(link -> link.inline().length())
                        .sum();
        return patches < text.length() && gives(before, patch, text)
                ? new Stored("patch", chain.getFirst().version(), patch)
                : new Stored("full", version, text);
    }

    private static boolean gives(String before, String patch, String after) {
        try {
            return TextPatch.apply(before, List.of(patch)).equals(after);
        } catch (PatchFailedException e) {
            return false; // it is kept whole
        }
    }

    private void keep(Content content) {
        try {
            blobs.put(new ByteArrayInputStream(content.bytes()));
        } catch (IOException e) {
            throw new UncheckedIOException("the file could not be stored", e);
        }
    }

    // ---- reading

    /**
     * What was in a version of a file.
     *
     * @throws WorkspaceException when there is none, or when it is not what was written
     */
    Content read(UUID file, int version) {
        List<Link> chain = chain(file, version);
        if (chain.isEmpty()) {
            throw new WorkspaceException(Kind.UNKNOWN, "the file has no version " + version);
        }
        Link last = chain.getLast();
        if (last.sha256() == null) {
            throw new WorkspaceException(Kind.UNKNOWN, "version " + version + " is the deletion of the file");
        }
        Content content = last.isInline() ? Content.of(text(chain)) : blob(last.sha256());
        if (!content.sha256().equals(last.sha256())) {
            throw damaged("version " + version);
        }
        return content;
    }

    private List<Link> chain(UUID file, int version) {
        return list(
                CHAIN,
                row -> new Link(row.getInt("version"), row.getString("content"), row.getString("sha256")),
                host,
                project,
                file,
                version);
    }

    private static String text(List<Link> chain) {
        try {
            return TextPatch.apply(
                    chain.getFirst().inline(),
                    chain.stream().skip(1).map(Link::inline).toList());
        } catch (PatchFailedException e) {
            throw damaged("version " + chain.getLast().version());
        }
    }

    private Content blob(String sha256) {
        Path file = blobs.get(sha256).orElseThrow(() -> damaged("a file in the blob folder"));
        try {
            return Content.of(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException("the file could not be read", e);
        }
    }

    private static WorkspaceException damaged(String what) {
        return new WorkspaceException(
                Kind.DAMAGED, what + " is missing, or not what was written: restore it from a backup");
    }

    // ---- rows

    private <T> Optional<T> first(String sql, Reader<T> one, Object... values) {
        return transaction.query(sql, row -> row.next() ? Optional.of(one.read(row)) : Optional.empty(), values);
    }

    private <T> List<T> list(String sql, Reader<T> one, Object... values) {
        return transaction.query(sql, all(one), values);
    }

    /** All rows. */
    static <T> Reader<List<T>> all(Reader<T> one) {
        return row -> {
            var found = new ArrayList<T>();
            while (row.next()) {
                found.add(one.read(row));
            }
            return found;
        };
    }

    private static FileInfo info(ResultSet row) throws SQLException {
        return new FileInfo(
                row.getObject("file_id", UUID.class),
                row.getString("path"),
                row.getString("mime"),
                row.getBoolean("is_text"),
                row.getLong("size"),
                row.getString("sha256"),
                row.getInt("version"),
                Objects.requireNonNull(time(row, "created_ts")),
                Objects.requireNonNull(time(row, "update_ts")),
                time(row, "deleted_ts"));
    }

    private static FileVersion version(ResultSet row) throws SQLException {
        return new FileVersion(
                row.getObject("file_id", UUID.class),
                row.getString("path"),
                row.getInt("version"),
                row.getLong("size"),
                row.getString("sha256"),
                row.getString("author_kind").equals("agent"),
                row.getString("author"),
                row.getObject("session_id", UUID.class),
                row.getObject("turn_id", UUID.class),
                row.getObject("step", Integer.class),
                row.getObject("call_id", UUID.class),
                Objects.requireNonNull(time(row, "created_ts")));
    }

    static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
