package dev.parley.tools.files;

import dev.parley.domain.content.Patch;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import dev.parley.tools.files.WorkspaceException.Kind;
import java.net.URLConnection;
import java.text.Normalizer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of a project. Every change creates a version, so that no content is lost. Changes of one workspace are
 * serialised. A failed operation throws a {@link WorkspaceException} and changes nothing.
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

    private final Database database;
    private final Tables tables;
    private final UUID host;
    private final UUID project;

    Workspace(Database database, Tables tables) {
        this.database = database;
        this.tables = tables;
        this.host = tables.host();
        this.project = tables.project();
    }

    /** A file and its content. */
    public record Read(FileInfo file, FileData content) {}

    /** The tables, within the transaction of an operation. */
    record Tables(UUID host, UUID project, ProjectFiles files, Snapshots snapshots, ReversionRows reversions) {}

    /** The files of a folder, ordered by path. */
    List<FileInfo> list(FilePath folder, Glob glob, int limit) {
        return select(folder.prefix(), FileFilter.of(glob), "", limit);
    }

    /** The files with this prefix that match a filter, ordered by path. */
    List<FileInfo> select(String prefix, FileFilter filter, String after, int limit) {
        int pageSize = Math.max(limit, PAGE);
        return database.listingIn(tenant(), () -> {
            var found = new ArrayList<FileInfo>();
            String last = after;
            List<FileInfo> page;
            do {
                page = tables.files().below(prefix, filter, last, pageSize);
                for (FileInfo file : page) {
                    last = file.path();
                    if (found.size() < limit && filter.matches(file)) {
                        found.add(file);
                    }
                }
            } while (page.size() == pageSize && found.size() < limit);
            return List.copyOf(found);
        });
    }

    /** Deleted files, ordered by path and id. */
    public List<FileInfo> deleted(String prefix, String afterPath, UUID afterId, int limit) {
        return read(() -> tables.files().deletedBelow(prefix, afterPath, afterId, limit));
    }

    /** An existing file. */
    public Optional<FileInfo> find(FilePath path) {
        return read(() -> tables.files().live(path));
    }

    /** A file by its id, deleted or not. */
    public Optional<FileInfo> find(UUID file) {
        return read(() -> tables.files().byId(file));
    }

    /** The existing file, else the last deleted one of this path. */
    public Optional<FileInfo> findAny(FilePath path) {
        return read(() -> tables.files().any(path));
    }

    /** A file with its current content. */
    public Read read(FilePath path) {
        return read(() -> {
            FileInfo file = live(tables, path);
            return new Read(file, tables.files().contents().read(file.id(), file.version()));
        });
    }

    /** The content of a version of a file. */
    public FileData read(UUID file, int version) {
        return read(() -> tables.files().contents().read(file, version));
    }

    /** A version of a file. */
    public Optional<FileVersion> version(UUID file, int version) {
        return read(() -> tables.files().version(file, version));
    }

    /** The versions of a file older than this one, newest first. */
    public List<FileVersion> versions(UUID file, int before, int limit) {
        return read(() -> tables.files().versions().before(host, project, file, before, limit));
    }

    /**
     * The unified diff of two versions of a file; empty if they are equal.
     *
     * @param from 0 for an empty file, as is a deletion
     */
    public String diff(FileInfo file, int from, int to) {
        return read(() -> TextPatch.displayDiff(
                name(file, from), text(tables, file, from), name(file, to), text(tables, file, to)));
    }

    private static String name(FileInfo file, int version) {
        return file.path() + "\tversion " + version;
    }

    private static String text(Tables tables, FileInfo file, int version) {
        if (version == 0) {
            return "";
        }
        FileVersion found = tables.files()
                .version(file.id(), version)
                .orElseThrow(() -> unknown("the file has no version " + version));
        return found.deletes()
                ? ""
                : requireText(file, tables.files().contents().read(file.id(), version));
    }

    /**
     * The text of a file.
     *
     * @throws WorkspaceException when it is binary
     */
    static String text(Read read) {
        return requireText(read.file(), read.content());
    }

    private static String requireText(FileInfo file, FileData content) {
        String text = content.text();
        if (text == null) {
            throw new WorkspaceException(
                    Kind.BINARY, "%s is not text (%s, %d bytes)".formatted(file.path(), file.mime(), content.size()));
        }
        return text;
    }

    /** The changes of files by the steps of a turn, in order. */
    public List<FileChange> changes(UUID turn) {
        return read(() -> {
            var changes = new LinkedHashMap<String, FileChange>();
            for (FileVersion version : tables.files().versions().ofTurn(host, project, turn, MAX_CHANGES)) {
                FileChange before = changes.get(version.step() + version.path() + version.file());
                changes.put(
                        version.step() + version.path() + version.file(),
                        before == null ? firstChange(tables, version) : extended(before, version));
            }
            return List.copyOf(changes.values());
        });
    }

    private static FileChange firstChange(Tables tables, FileVersion version) {
        int from = version.version() - 1;
        String before = tables.files()
                .version(version.file(), from)
                .map(FileVersion::sha256)
                .orElse(null);
        int step = Objects.requireNonNull(version.step());
        return new FileChange(step, version.file(), version.path(), from, version.version(), before, version.sha256());
    }

    private static FileChange extended(FileChange change, FileVersion version) {
        return new FileChange(
                change.step(),
                change.file(),
                change.path(),
                change.from(),
                version.version(),
                change.before(),
                version.sha256());
    }

    /** The change from the previous version to this one. */
    Patch patch(FileVersion version) {
        return read(() -> {
            int from = version.version() - 1;
            String before = tables.files()
                    .version(version.file(), from)
                    .map(FileVersion::sha256)
                    .orElse(null);
            return new Patch(version.path(), from, version.version(), before, version.sha256());
        });
    }

    /**
     * Writes a new or existing file.
     *
     * @param mime its media type; null to derive it from name and content
     * @param metadata null for the metadata of the previous version
     */
    public FileVersion write(
            FilePath path,
            FileData content,
            @Nullable String mime,
            @Nullable FileMetadata metadata,
            Precondition precondition,
            Author author) {
        requireSize(content, MAX_BYTES);
        return change(author, () -> {
            Optional<FileInfo> existing = tables.files().live(path);
            precondition.check(existing.map(FileInfo::version).orElse(0));
            FileMetadata newMetadata =
                    metadata == null ? existing.map(FileInfo::metadata).orElse(FileMetadata.NONE) : metadata;
            String newType = type(path, mime, content);
            if (existing.isPresent()) {
                return tables.files().append(existing.get(), content, newType, newMetadata, author);
            }
            requireFreePath(tables, path);
            return tables.files().create(path, content, newType, newMetadata, author);
        });
    }

    /** Creates a version with the same content and new metadata. */
    public FileVersion describe(FilePath path, FileMetadata metadata, Precondition precondition, Author author) {
        return change(author, () -> {
            FileInfo file = live(tables, path);
            precondition.check(file.version());
            FileData content = tables.files().contents().read(file.id(), file.version());
            return tables.files().append(file, content, file.mime(), metadata, author);
        });
    }

    static void requireSize(FileData content, int max) {
        if (content.size() > max) {
            throw new WorkspaceException(
                    Kind.TOO_LARGE, "the file would have %d bytes; it may have %d".formatted(content.size(), max));
        }
    }

    private static String type(FilePath path, @Nullable String mime, FileData content) {
        String declared = mime == null ? "" : mime.replaceAll(";.*", "").strip();
        if (TYPE.matcher(declared).matches() && !declared.equals(ANY_TYPE)) {
            return declared.toLowerCase(Locale.ROOT);
        }
        String guessed = URLConnection.guessContentTypeFromName(path.value());
        return guessed != null ? guessed : content.isText() ? "text/plain" : ANY_TYPE;
    }

    /**
     * Checks that a file can be created: the maximum is not reached, and the path does not conflict with a folder or
     * file.
     */
    private static void requireFreePath(Tables tables, FilePath path) {
        if (tables.files().rows().count(tables.host(), tables.project()) >= MAX_FILES) {
            throw new WorkspaceException(
                    Kind.TOO_MANY, "the project has " + MAX_FILES + " files; delete some that are not needed");
        }
        if (tables.files().isFolder(path)) {
            throw new WorkspaceException(Kind.CONFLICT, path + " is a folder; name a file in it");
        }
        for (String folder : path.folders()) {
            if (tables.files().live(new FilePath(folder)).isPresent()) {
                throw new WorkspaceException(Kind.CONFLICT, folder + " is a file, so nothing can be in it");
            }
        }
    }

    /** Changes a text, which keeps its charset and byte order mark. An exception of the change leaves the file unchanged. */
    public FileVersion edit(FilePath path, UnaryOperator<String> change, Precondition precondition, Author author) {
        return change(author, () -> {
            FileInfo file = live(tables, path);
            precondition.check(file.version());
            FileData before = tables.files().contents().read(file.id(), file.version());
            FileData content = before.with(change.apply(requireText(file, before)));
            requireSize(content, MAX_TEXT);
            return tables.files().append(file, content, file.mime(), file.metadata(), author);
        });
    }

    /** Deletes a file; its versions are kept. */
    public FileVersion delete(FilePath path, Precondition precondition, Author author) {
        return change(author, () -> {
            FileInfo file = live(tables, path);
            precondition.check(file.version());
            return tables.files().delete(file, author);
        });
    }

    /** Restores an earlier version as the next one; also of the last deleted file of a free path. */
    public FileVersion revert(FilePath path, int version, Precondition precondition, Author author) {
        return change(author, () -> {
            FileInfo file = tables.files().any(path).orElseThrow(() -> unknown("there is no file " + path));
            precondition.check(file.deletedAt() == null ? file.version() : 0);
            if (file.deletedAt() != null) {
                requireFreePath(tables, path);
            }
            return restoreVersion(tables, file, file.id(), version, author);
        });
    }

    /** Takes a snapshot. */
    public WorkspaceSnapshot snapshot(Author author) {
        return locked(() -> tables.snapshots().takeForUser(author));
    }

    /** The snapshots older than this one, newest first. */
    public List<WorkspaceSnapshot> snapshots(@Nullable Instant before, @Nullable UUID beforeId, int limit) {
        return database.listingIn(
                tenant(), () -> tables.snapshots().rows().page(host, project, before, beforeId, limit));
    }

    public Optional<WorkspaceSnapshot> findSnapshot(UUID id) {
        return read(() -> tables.snapshots().rows().find(host, project, id));
    }

    /** The files of a snapshot after a path, ordered by path. */
    public List<WorkspaceSnapshot.Entry> entries(UUID snapshot, String after, int limit) {
        return read(() -> tables.snapshots().rows().entries(host, project, snapshot, after, limit));
    }

    /** Deletes a snapshot, but no files; returns whether it existed. */
    public boolean deleteSnapshot(UUID id) {
        return locked(() -> tables.snapshots().rows().delete(host, project, id) == 1);
    }

    /** Restores a snapshot atomically: changed and deleted files are restored, newer files are deleted. */
    public WorkspaceSnapshot.Restored restore(UUID id, Author author) {
        return locked(() -> {
            SnapshotRows snapshots = tables.snapshots().rows();
            WorkspaceSnapshot snapshot =
                    snapshots.find(host, project, id).orElseThrow(() -> unknown("there is no snapshot " + id));
            // before the next snapshot is taken, which may delete this one
            List<WorkspaceSnapshot.Entry> entries = snapshots.entries(host, project, id, "", MAX_FILES);
            WorkspaceSnapshot before = tables.snapshots().takeBeforeRestore(author);
            Map<String, FileInfo> newer = filesByPath();
            var changed = new ArrayList<WorkspaceSnapshot.Entry>();
            for (WorkspaceSnapshot.Entry entry : entries) {
                FileInfo current = newer.remove(entry.path());
                if (current == null || !entry.isOf(current)) {
                    changed.add(entry);
                }
            }
            newer.values().forEach(file -> tables.files().delete(file, author));
            changed.forEach(entry -> restore(tables, entry, author));
            requireHash(snapshot);
            return new WorkspaceSnapshot.Restored(before, snapshot.hash(), changed.size(), newer.size());
        });
    }

    private Map<String, FileInfo> filesByPath() {
        var files = new HashMap<String, FileInfo>();
        tables.files().below("/", "", Integer.MAX_VALUE).forEach(file -> files.put(file.path(), file));
        return files;
    }

    private void requireHash(WorkspaceSnapshot snapshot) {
        if (!tables.snapshots().rows().tree(host, project).hash().equals(snapshot.hash())) {
            throw new WorkspaceException(Kind.DAMAGED, "the snapshot " + snapshot.id() + " does not lead to its hash");
        }
    }

    private static void restore(Tables tables, WorkspaceSnapshot.Entry entry, Author author) {
        FileInfo file = tables.files()
                .live(new FilePath(entry.path()))
                .or(() -> tables.files().byId(entry.file()))
                .orElseThrow();
        restoreVersion(tables, file, entry.file(), entry.version(), author);
    }

    /** Restores a version as the next one of a file; the version may be of an earlier file of the same path. */
    static FileVersion restoreVersion(Tables tables, FileInfo file, UUID sourceFile, int version, Author author) {
        FileData content = tables.files().contents().read(sourceFile, version);
        FileVersion earlier = tables.files().version(sourceFile, version).orElseThrow();
        return tables.files().append(file, content, earlier.mime(), earlier.metadata(), author);
    }

    /**
     * Reverts the changes of turns and their delegates. Files with later changes by others are left. Later
     * changes of these turns are rejected. Idempotent per call.
     */
    public FileReversion revertTurns(UUID call, List<UUID> turns, Author.Person author) {
        return locked(() -> new TurnUndo(tables, call, author).revertTurns(turns));
    }

    /** Undoes reversions, the last one first. Idempotent per call. */
    public FileReversion undoReversions(UUID call, List<UUID> reversions, Author.Person author) {
        return locked(() -> new TurnUndo(tables, call, author).undoReversions(reversions));
    }

    /** The reason why no file of this path can be restored; empty if it can. */
    static Optional<String> obstacle(Tables tables, FilePath path) {
        if (tables.files().live(path).isPresent()) {
            return Optional.of("another file has its name");
        }
        try {
            requireFreePath(tables, path);
            return Optional.empty();
        } catch (WorkspaceException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** The ids of the files that existed at a time, after this id. */
    List<UUID> archived(UUID after, Instant asOf, int limit) {
        return read(() -> tables.files().rows().ids(host, project, after, asOf, limit));
    }

    /** The versions of a file that existed at a time, after this one. */
    List<FileVersion> archived(UUID file, int after, Instant asOf, int limit) {
        return read(() -> tables.files().versions().after(host, project, file, after, asOf, limit));
    }

    /** Whether a version is already imported. */
    boolean hasImported(ArchivedVersion version) {
        return find(version.file())
                .filter(file -> file.version() >= version.version())
                .isPresent();
    }

    /**
     * Imports the next version of a file, which stays hidden until {@link #publishImported}.
     *
     * @param content null for the deletion of the file
     * @throws WorkspaceException when it is invalid, with the reason
     */
    void importVersion(ArchivedVersion version, @Nullable FileData content) {
        boolean damaged = content == null
                ? version.version() == 1
                : content.size() > MAX_BYTES || !content.sha256().equals(version.sha256());
        if (damaged
                || !FilePath.file(version.path())
                        .value()
                        .equals(Normalizer.normalize(version.path(), Normalizer.Form.NFC))) {
            throw new WorkspaceException(Kind.DAMAGED, "is not what was written");
        }
        locked(() -> {
            int before =
                    tables.files().byId(version.file()).map(FileInfo::version).orElse(0);
            if (version.version() != before + 1) {
                throw new WorkspaceException(Kind.DAMAGED, "lacks a version after " + before);
            }
            tables.files().add(version, content);
            return null;
        });
    }

    /**
     * Shows a completely imported file, unless it ends with its deletion.
     *
     * @throws WorkspaceException when its path is not free
     */
    void publishImported(ArchivedVersion last) {
        locked(() -> {
            boolean hidden = tables.files()
                    .byId(last.file())
                    .filter(file -> file.version() == last.version() && file.deletedAt() != null)
                    .isPresent();
            if (hidden && last.sha256() != null) {
                obstacle(tables, FilePath.file(last.path())).ifPresent(reason -> {
                    throw new WorkspaceException(
                            Kind.CONFLICT, reason + ", so it is among the deleted ones with all of its versions");
                });
                tables.files().rows().show(host, last.file());
            }
            return null;
        });
    }

    private <T> T read(Supplier<T> operation) {
        return database.in(tenant(), operation);
    }

    private <T extends @Nullable Object> T locked(Supplier<T> operation) {
        return database.in(tenant(), () -> {
            lock();
            return operation.get();
        });
    }

    /** Makes a change once per call, and a snapshot before the first change of a step. */
    private FileVersion change(Author author, Supplier<FileVersion> change) {
        return locked(() -> switch (author) {
            case Author.Person _ -> change.get();
            case Author.Call call ->
                tables.files()
                        .versions()
                        .createdBy(host, project, call.callId())
                        .orElseGet(() -> {
                            if (tables.reversions().isReverted(host, project, call.top(), call.turnId())) {
                                throw new WorkspaceException(Kind.CONFLICT, "the turn was taken back");
                            }
                            tables.snapshots().takeBeforeStep(call);
                            return change.get();
                        });
        });
    }

    private void lock() {
        FileRows rows = tables.files().rows();
        rows.addWorkspace(host, project);
        if (rows.lock(host, project)) {
            throw unknown("the project is erased");
        }
    }

    private Tenant tenant() {
        return Tenant.of(host).project(project);
    }

    private static FileInfo live(Tables tables, FilePath path) {
        return tables.files().live(path).orElseThrow(() -> unknown("there is no file " + path));
    }

    private static WorkspaceException unknown(String message) {
        return new WorkspaceException(Kind.UNKNOWN, message);
    }
}
