package dev.parley.tools.files;

import dev.parley.domain.content.Patch;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.tools.files.WorkspaceException.Kind;
import java.net.URLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a project. Every change creates a version, so that no content is lost. Changes of one workspace are
 * serialised. A failed operation throws a {@link WorkspaceException} and changes nothing.
 *
 * <p>It is long because it has all operations, each in one transaction under the workspace lock; the SQL is in the
 * classes of rows.
 */
public final class Workspace {
    /** Files read per query of a filtered list. */
    private static final int PAGE = 500;

    /** Maximum files of a project. */
    public static final int MAX_FILES = 10_000;

    /** Maximum bytes of a file. */
    public static final int MAX_BYTES = BlobStore.MOST;

    /** Maximum bytes of a text that tools change. */
    public static final int MAX_TEXT = Contents.MAX_TEXT;

    /** Maximum changes of a turn that are listed. */
    public static final int MAX_CHANGES = 10_000;

    private static final Pattern TYPE = Pattern.compile("[\\w.+-]{1,60}/[\\w.+-]{1,60}");
    private static final String ANY_TYPE = "application/octet-stream";

    private final Workspaces all;
    private final UUID host;
    private final UUID project;

    Workspace(Workspaces all, UUID host, UUID project) {
        this.all = all;
        this.host = host;
        this.project = project;
    }

    /** A file and its content. */
    public record Read(FileInfo file, Content content) {}

    /** The tables within the transaction of an operation. */
    record Work(FileRows files, SnapshotRows snapshots, ReversionRows reversions) {}

    // ---- reading

    /** The files of a folder, ordered by path. */
    List<FileInfo> list(FilePath folder, Glob glob, int limit) {
        return select(folder.prefix(), FileFilter.of(glob), "", limit);
    }

    /** The files with this prefix that match a filter, ordered by path. */
    List<FileInfo> select(String prefix, FileFilter wanted, String after, int limit) {
        int most = Math.max(limit, PAGE);
        return read(work -> {
            var found = new ArrayList<FileInfo>();
            String last = after;
            List<FileInfo> piece;
            do {
                piece = work.files().below(prefix, wanted, last, most);
                for (FileInfo file : piece) {
                    last = file.path();
                    if (found.size() < limit && wanted.matches(file)) {
                        found.add(file);
                    }
                }
            } while (piece.size() == most && found.size() < limit);
            return List.copyOf(found);
        });
    }

    /** Deleted files, ordered by path and id. */
    public List<FileInfo> deleted(String prefix, String afterPath, UUID afterId, int limit) {
        return read(work -> work.files().deletedBelow(prefix, afterPath, afterId, limit));
    }

    /** An existing file. */
    public Optional<FileInfo> find(FilePath path) {
        return read(work -> work.files().live(path));
    }

    /** A file by its id, deleted or not. */
    public Optional<FileInfo> find(UUID file) {
        return read(work -> work.files().byId(file));
    }

    /** The existing file, else the last deleted one of this path. */
    public Optional<FileInfo> findAny(FilePath path) {
        return read(work -> work.files().any(path));
    }

    /** A file with its current content. */
    public Read read(FilePath path) {
        return read(work -> {
            FileInfo file = live(work, path);
            return new Read(file, work.files().read(file.id(), file.version()));
        });
    }

    /** The content of a version of a file. */
    public Content read(UUID file, int version) {
        return read(work -> work.files().read(file, version));
    }

    /** A version of a file. */
    public Optional<FileVersion> version(UUID file, int version) {
        return read(work -> work.files().version(file, version));
    }

    /** The versions of a file older than this one, newest first. */
    public List<FileVersion> versions(UUID file, int before, int limit) {
        return read(work -> work.files().versions(file, before, limit));
    }

    /**
     * The unified diff of two versions of a file; empty if they are equal.
     *
     * @param from 0 for an empty file, as is a deletion
     */
    public String diff(FileInfo file, int from, int to) {
        return read(work ->
                TextPatch.shown(name(file, from), text(work, file, from), name(file, to), text(work, file, to)));
    }

    private static String name(FileInfo file, int version) {
        return file.path() + "\tversion " + version;
    }

    private static String text(Work work, FileInfo file, int version) {
        if (version == 0) {
            return "";
        }
        FileVersion found = work.files()
                .version(file.id(), version)
                .orElseThrow(() -> unknown("the file has no version " + version));
        return found.deletes() ? "" : requireText(file, work.files().read(file.id(), version));
    }

    /** The text of a file. @throws WorkspaceException when it is binary */
    static String text(Read read) {
        return requireText(read.file(), read.content());
    }

    private static String requireText(FileInfo file, Content content) {
        String text = content.text();
        if (text == null) {
            throw new WorkspaceException(
                    Kind.BINARY, "%s is no text (%s, %d bytes)".formatted(file.path(), file.mime(), content.size()));
        }
        return text;
    }

    /** The changes of files by the steps of a turn, in order. */
    public List<FileChange> changes(UUID turn) {
        return read(work -> {
            var changes = new LinkedHashMap<String, FileChange>();
            for (FileVersion version : work.files().ofTurn(turn, MAX_CHANGES)) {
                FileChange before = changes.get(version.step() + version.path() + version.file());
                changes.put(
                        version.step() + version.path() + version.file(),
                        before == null ? first(work, version) : then(before, version));
            }
            return List.copyOf(changes.values());
        });
    }

    private static FileChange first(Work work, FileVersion made) {
        int from = made.version() - 1;
        String before =
                work.files().version(made.file(), from).map(FileVersion::sha256).orElse(null);
        int step = Objects.requireNonNull(made.step());
        return new FileChange(step, made.file(), made.path(), from, made.version(), before, made.sha256());
    }

    private static FileChange then(FileChange change, FileVersion made) {
        return new FileChange(
                change.step(),
                change.file(),
                change.path(),
                change.from(),
                made.version(),
                change.before(),
                made.sha256());
    }

    /** The change from the previous version to this one. */
    Patch patch(FileVersion made) {
        return read(work -> {
            int from = made.version() - 1;
            String before = work.files()
                    .version(made.file(), from)
                    .map(FileVersion::sha256)
                    .orElse(null);
            return new Patch(made.path(), from, made.version(), before, made.sha256());
        });
    }

    // ---- changing

    /**
     * Writes a new or existing file.
     *
     * @param mime its media type; null to derive it from name and content
     * @param metadata null for the metadata of the previous version
     */
    public FileVersion write(
            FilePath path,
            Content content,
            @Nullable String mime,
            @Nullable FileMetadata metadata,
            Precondition precondition,
            Author author) {
        requireRoom(content, MAX_BYTES);
        return change(author, work -> {
            Optional<FileInfo> there = work.files().live(path);
            precondition.check(there.map(FileInfo::version).orElse(0));
            FileMetadata noted =
                    metadata == null ? there.map(FileInfo::metadata).orElse(FileMetadata.NONE) : metadata;
            return put(work, path, content, type(path, mime, content), noted, author);
        });
    }

    /** Creates a version with the same content and new metadata. */
    public FileVersion describe(FilePath path, FileMetadata metadata, Precondition precondition, Author author) {
        return change(author, work -> {
            FileInfo file = live(work, path);
            precondition.check(file.version());
            Content content = work.files().read(file.id(), file.version());
            return work.files().append(file, content, file.mime(), metadata, author);
        });
    }

    static void requireRoom(Content content, int most) {
        if (content.size() > most) {
            throw new WorkspaceException(
                    Kind.TOO_LARGE, "the file would have %d bytes; it may have %d".formatted(content.size(), most));
        }
    }

    private static String type(FilePath path, @Nullable String mime, Content content) {
        String given = mime == null ? "" : mime.replaceAll(";.*", "").strip();
        if (TYPE.matcher(given).matches() && !given.equals(ANY_TYPE)) {
            return given.toLowerCase(Locale.ROOT);
        }
        String guessed = URLConnection.guessContentTypeFromName(path.value());
        return guessed != null ? guessed : content.isText() ? "text/plain" : ANY_TYPE;
    }

    private static FileVersion put(
            Work work, FilePath path, Content content, String mime, FileMetadata metadata, Author author) {
        Optional<FileInfo> there = work.files().live(path);
        if (there.isPresent()) {
            return work.files().append(there.get(), content, mime, metadata, author);
        }
        requirePlace(work, path);
        return work.files().create(path, content, mime, metadata, author);
    }

    /** Checks that a file can be created: the maximum is not reached, and the path does not conflict with a folder or file. */
    private static void requirePlace(Work work, FilePath path) {
        if (work.files().count() >= MAX_FILES) {
            throw new WorkspaceException(
                    Kind.TOO_MANY, "the project has " + MAX_FILES + " files; delete some that are not needed");
        }
        if (work.files().isFolder(path)) {
            throw new WorkspaceException(Kind.CONFLICT, path + " is a folder; name a file in it");
        }
        for (String folder : path.folders()) {
            if (work.files().live(new FilePath(folder)).isPresent()) {
                throw new WorkspaceException(Kind.CONFLICT, folder + " is a file, so nothing can be in it");
            }
        }
    }

    /** Changes a text. An exception of the change leaves the file unchanged. */
    public FileVersion edit(FilePath path, UnaryOperator<String> change, Precondition precondition, Author author) {
        return change(author, work -> {
            FileInfo file = live(work, path);
            precondition.check(file.version());
            String text = requireText(file, work.files().read(file.id(), file.version()));
            Content content = Content.of(change.apply(text));
            requireRoom(content, MAX_TEXT);
            return work.files().append(file, content, file.mime(), file.metadata(), author);
        });
    }

    /** Deletes a file; its versions are kept. */
    public FileVersion delete(FilePath path, Precondition precondition, Author author) {
        return change(author, work -> {
            FileInfo file = live(work, path);
            precondition.check(file.version());
            return work.files().delete(file, author);
        });
    }

    /** Restores an earlier version as the next one; also of the last deleted file of a free path. */
    public FileVersion revert(FilePath path, int version, Precondition precondition, Author author) {
        return change(author, work -> {
            FileInfo file = work.files().any(path).orElseThrow(() -> unknown("there is no file " + path));
            precondition.check(file.deletedAt() == null ? file.version() : 0);
            if (file.deletedAt() != null) {
                requirePlace(work, path);
            }
            return again(work, file, file.id(), version, author);
        });
    }

    // ---- snapshots

    /** Takes a snapshot. */
    public Snapshot snapshot(Author author) {
        return locked(work -> work.snapshots().wanted(author));
    }

    /** The snapshots older than this one, newest first. */
    public List<Snapshot> snapshots(@Nullable Instant before, @Nullable UUID beforeId, int limit) {
        return read(work -> work.snapshots().list(before, beforeId, limit));
    }

    /** A snapshot. */
    public Optional<Snapshot> findSnapshot(UUID id) {
        return read(work -> work.snapshots().find(id));
    }

    /** The files of a snapshot after a path, ordered by path. */
    public List<Snapshot.Entry> entries(UUID snapshot, String after, int limit) {
        return read(work -> work.snapshots().entries(snapshot, after, limit));
    }

    /** Deletes a snapshot, but no files. @return whether it existed */
    public boolean deleteSnapshot(UUID id) {
        return locked(work -> work.snapshots().delete(id));
    }

    /** Restores a snapshot atomically: changed and deleted files are restored, newer files are deleted. */
    public Snapshot.Restored restore(UUID id, Author author) {
        return locked(work -> {
            Snapshot wanted = work.snapshots().find(id).orElseThrow(() -> unknown("there is no snapshot " + id));
            List<Snapshot.Entry> entries =
                    work.snapshots().entries(id, "", MAX_FILES); // it may be the oldest one, which is deleted next
            Snapshot before = work.snapshots().beforeRestore(author);
            var there = new HashMap<String, FileInfo>();
            work.files().below("/", "", Integer.MAX_VALUE).forEach(file -> there.put(file.path(), file));
            var changed = new ArrayList<Snapshot.Entry>();
            for (Snapshot.Entry entry : entries) {
                FileInfo now = there.remove(entry.path());
                if (now == null || !entry.isOf(now)) {
                    changed.add(entry);
                }
            }
            there.values().forEach(file -> work.files().delete(file, author));
            changed.forEach(entry -> putBack(work, entry, author));
            String hash = work.snapshots().hash();
            if (!hash.equals(wanted.hash())) {
                throw new WorkspaceException(Kind.DAMAGED, "the snapshot " + id + " does not lead to its hash");
            }
            return new Snapshot.Restored(before, hash, changed.size(), there.size());
        });
    }

    private static void putBack(Work work, Snapshot.Entry entry, Author author) {
        FileInfo file = work.files()
                .live(new FilePath(entry.path()))
                .or(() -> work.files().byId(entry.file()))
                .orElseThrow();
        again(work, file, entry.file(), entry.version(), author);
    }

    /** Restores a version as the next one of a file; the version may be of an earlier file of the same path. */
    static FileVersion again(Work work, FileInfo file, UUID of, int version, Author author) {
        Content content = work.files().read(of, version);
        FileVersion was = work.files().version(of, version).orElseThrow();
        return work.files().append(file, content, was.mime(), was.metadata(), author);
    }

    // ---- turns

    /**
     * Reverts the changes of turns and their delegates. Files that somebody else has changed since are left. Later
     * changes of these turns are rejected. Idempotent per call.
     */
    public Reversion takeBack(UUID call, List<UUID> turns, Author.Person by) {
        return locked(work -> new TurnUndo(work, call, by).takeBack(turns));
    }

    /** Undoes reversions, the last one first. Idempotent per call. */
    public Reversion bringBack(UUID call, List<UUID> reversions, Author.Person by) {
        return locked(work -> new TurnUndo(work, call, by).bringBack(reversions));
    }

    /** The reason why no file of this path can be restored; empty if it can. */
    static Optional<String> obstacle(Work work, FilePath path) {
        if (work.files().live(path).isPresent()) {
            return Optional.of("another file has its name");
        }
        try {
            requirePlace(work, path);
            return Optional.empty();
        } catch (WorkspaceException e) {
            return Optional.of(e.getMessage());
        }
    }

    // ---- archives

    /** Whether a version is imported already. */
    boolean has(ArchivedVersion version) {
        return all.archived(host, project, rows -> rows.now(version.file()))
                .filter(now -> now.version() >= version.version())
                .isPresent();
    }

    /**
     * Imports the next version of a file, which stays hidden until {@link #show}.
     *
     * @param content null for the deletion of the file
     * @throws WorkspaceException when it is invalid, with the reason
     */
    void bringIn(ArchivedVersion version, @Nullable Content content) {
        boolean damaged = content == null
                ? version.version() == 1
                : content.size() > MAX_BYTES || !content.sha256().equals(version.sha256());
        if (damaged || !FilePath.file(version.path()).value().equals(version.path())) {
            throw new WorkspaceException(Kind.DAMAGED, "is not what was written");
        }
        all.database().in(tenant(), transaction -> {
            lock(transaction);
            ArchivedRows rows = all.archived(transaction, host, project);
            int before = rows.now(version.file()).map(ArchivedRows.Now::version).orElse(0);
            if (version.version() != before + 1) {
                throw new WorkspaceException(Kind.DAMAGED, "lacks a version after " + before);
            }
            rows.add(version, content);
            return null;
        });
    }

    /**
     * Shows a completely imported file, unless it ends with its deletion.
     *
     * @throws WorkspaceException when its path is not free
     */
    void show(ArchivedVersion last) {
        all.database().in(tenant(), transaction -> {
            lock(transaction);
            ArchivedRows rows = all.archived(transaction, host, project);
            boolean hidden = rows.now(last.file())
                    .filter(now -> now.version() == last.version() && !now.live())
                    .isPresent();
            if (hidden && last.sha256() != null) {
                obstacle(work(transaction), FilePath.file(last.path())).ifPresent(why -> {
                    throw new WorkspaceException(
                            Kind.CONFLICT, why + ", so it is among the deleted ones with all of its versions");
                });
                rows.show(last.file());
            }
            return null;
        });
    }

    // ---- transactions

    private <T> T read(Function<Work, T> reading) {
        return all.database().in(tenant(), transaction -> reading.apply(work(transaction)));
    }

    private <T> T locked(Function<Work, T> work) {
        return all.database().in(tenant(), transaction -> {
            lock(transaction);
            return work.apply(work(transaction));
        });
    }

    /** Makes a change once per call, and a snapshot before the first change of a step. */
    private FileVersion change(Author author, Function<Work, FileVersion> change) {
        return locked(work -> switch (author) {
            case Author.Person _ -> change.apply(work);
            case Author.Call call ->
                work.files().madeBy(call.callId()).orElseGet(() -> {
                    if (work.reversions().isTakenBack(call)) {
                        throw new WorkspaceException(Kind.CONFLICT, "the turn was taken back");
                    }
                    work.snapshots().before(call);
                    return change.apply(work);
                });
        });
    }

    private void lock(Transaction transaction) {
        transaction.update(
                "INSERT INTO tools.workspace_t (host_id, project_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
                host,
                project);
        boolean erased = transaction.query(
                "SELECT erased_ts FROM tools.workspace_t WHERE host_id = ? AND project_id = ? FOR UPDATE",
                row -> row.next() && row.getObject("erased_ts") != null,
                host,
                project);
        if (erased) {
            throw unknown("the project is erased");
        }
    }

    private Work work(Transaction transaction) {
        return new Work(
                new FileRows(transaction, host, project, all.blobs()),
                new SnapshotRows(transaction, host, project),
                new ReversionRows(transaction, host, project));
    }

    private Tenant tenant() {
        return Tenant.of(host).project(project);
    }

    private static FileInfo live(Work work, FilePath path) {
        return work.files().live(path).orElseThrow(() -> unknown("there is no file " + path));
    }

    private static WorkspaceException unknown(String what) {
        return new WorkspaceException(Kind.UNKNOWN, what);
    }
}
