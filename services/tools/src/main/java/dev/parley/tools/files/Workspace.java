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
 * The files of a project. Every change makes a version, whoever makes it, and nothing that was there is lost. Changes of one
 * workspace happen one after the other. What cannot be done is a {@link WorkspaceException}, and has changed nothing.
 *
 * <p>It is long because all that can be done is done here, each under the workspace's lock in one transaction; how is with the rows.
 */
public final class Workspace {
    /** How many files are read at once where a list shows only some of them. */
    private static final int PIECE = 500;

    /** Most files of a project. */
    public static final int MOST_FILES = 10_000;

    /** Most bytes of a file. */
    public static final int MOST_BYTES = BlobStore.MOST;

    /** Most bytes of a text that tools change. */
    public static final int MOST_TEXT = Contents.MOST_TEXT;

    /** Most changes of a turn that are told. */
    public static final int MOST_CHANGES = 10_000;

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

    /** A file and what is in it. */
    public record Read(FileInfo file, Content content) {}

    /** What a change needs: the tables in a transaction that nobody else changes. */
    record Work(FileRows files, SnapshotRows snapshots, ReversionRows reversions) {}

    /** Id of the project. */
    public UUID project() {
        return project;
    }

    // ---- reading

    /**
     * Files, by path.
     *
     * @param prefix how their paths begin, such as {@code /notes/}
     * @param glob which of these, or null for all
     * @param after the path that the list goes on after; empty for the beginning
     */
    public List<FileInfo> list(String prefix, @Nullable String glob, String after, int limit) {
        return select(prefix, FileFilter.of(glob, null, null), after, limit);
    }

    /** Files of a folder, by path. */
    List<FileInfo> list(FilePath folder, Glob glob, int limit) {
        return select(folder.prefix(), FileFilter.of(glob), "", limit);
    }

    /** Files whose paths begin so, by path. */
    List<FileInfo> select(String prefix, FileFilter wanted, String after, int limit) {
        int most = Math.max(limit, PIECE);
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

    /** Files that were deleted, by path and id. */
    public List<FileInfo> deleted(String prefix, String afterPath, UUID afterId, int limit) {
        return read(work -> work.files().deletedBelow(prefix, afterPath, afterId, limit));
    }

    /** A file that is there. */
    public Optional<FileInfo> find(FilePath path) {
        return read(work -> work.files().live(path));
    }

    /** A file, deleted or not, by its id. */
    public Optional<FileInfo> find(UUID file) {
        return read(work -> work.files().byId(file));
    }

    /** The file that is there, else the one of this path that was deleted last. */
    public Optional<FileInfo> findAny(FilePath path) {
        return read(work -> work.files().any(path));
    }

    /** What is in a file now. */
    public Read read(FilePath path) {
        return read(work -> {
            FileInfo file = live(work, path);
            return new Read(file, work.files().read(file.id(), file.version()));
        });
    }

    /** What was in a version of a file. */
    public Content read(UUID file, int version) {
        return read(work -> work.files().read(file, version));
    }

    /** A version of a file. */
    public Optional<FileVersion> version(UUID file, int version) {
        return read(work -> work.files().version(file, version));
    }

    /** The versions of a file, the newest first, older than this one. */
    public List<FileVersion> versions(UUID file, int before, int limit) {
        return read(work -> work.files().versions(file, before, limit));
    }

    /**
     * What differs between two versions of a file, as a unified diff; empty where nothing does.
     *
     * @param from 0 for nothing; so is the version that deleted it
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

    /** The text of a file. @throws WorkspaceException when it is none */
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

    /** What the steps of a turn made of files, in their order. */
    public List<FileChange> changes(UUID turn) {
        return read(work -> {
            var changes = new LinkedHashMap<String, FileChange>();
            for (FileVersion version : work.files().ofTurn(turn, MOST_CHANGES)) {
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

    /** What a version made of the one before it. */
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
     * Writes a file, which need not be there.
     *
     * @param mime its kind; by name and content where it is missing
     */
    public FileVersion write(
            FilePath path, Content content, @Nullable String mime, Precondition precondition, Author author) {
        return write(path, content, mime, null, precondition, author);
    }

    /**
     * The same with metadata.
     *
     * @param metadata null for that of the version before
     */
    public FileVersion write(
            FilePath path,
            Content content,
            @Nullable String mime,
            @Nullable FileMetadata metadata,
            Precondition precondition,
            Author author) {
        requireRoom(content, MOST_BYTES);
        return change(author, work -> {
            Optional<FileInfo> there = work.files().live(path);
            precondition.check(there.map(FileInfo::version).orElse(0));
            FileMetadata noted =
                    metadata == null ? there.map(FileInfo::metadata).orElse(FileMetadata.NONE) : metadata;
            return put(work, path, content, type(path, mime, content), noted, author);
        });
    }

    /** Makes a version with the same content and other metadata. */
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

    /** A new name: there is room, no folder has it, and no file is where a folder would be. */
    private static void requirePlace(Work work, FilePath path) {
        if (work.files().count() >= MOST_FILES) {
            throw new WorkspaceException(
                    Kind.TOO_MANY, "the project has " + MOST_FILES + " files; delete some that are not needed");
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

    /** Makes another text of a text. What the change throws, changes nothing. */
    public FileVersion edit(FilePath path, UnaryOperator<String> change, Precondition precondition, Author author) {
        return change(author, work -> {
            FileInfo file = live(work, path);
            precondition.check(file.version());
            String text = requireText(file, work.files().read(file.id(), file.version()));
            Content content = Content.of(change.apply(text));
            requireRoom(content, MOST_TEXT);
            return work.files().append(file, content, file.mime(), file.metadata(), author);
        });
    }

    /** Deletes a file. Its versions stay. */
    public FileVersion delete(FilePath path, Precondition precondition, Author author) {
        return change(author, work -> {
            FileInfo file = live(work, path);
            precondition.check(file.version());
            return work.files().delete(file, author);
        });
    }

    /** Makes the next version of a file what an earlier one was. A file that was deleted last, and whose place is free, is there again. */
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

    /** Keeps what there is now. */
    public Snapshot snapshot(Author author) {
        return locked(work -> work.snapshots().wanted(author));
    }

    /** Snapshots, the newest first, older than this one. */
    public List<Snapshot> snapshots(@Nullable Instant before, @Nullable UUID beforeId, int limit) {
        return read(work -> work.snapshots().list(before, beforeId, limit));
    }

    /** A snapshot. */
    public Optional<Snapshot> findSnapshot(UUID id) {
        return read(work -> work.snapshots().find(id));
    }

    /** The files of a snapshot by path, after this one. */
    public List<Snapshot.Entry> entries(UUID snapshot, String after, int limit) {
        return read(work -> work.snapshots().entries(snapshot, after, limit));
    }

    /** Forgets a snapshot; no file changes. @return whether there was one */
    public boolean deleteSnapshot(UUID id) {
        return locked(work -> work.snapshots().delete(id));
    }

    /** Makes all files what they were; what came since is deleted, what was deleted is there again. All of it or nothing. */
    public Snapshot.Restored restore(UUID id, Author author) {
        return locked(work -> {
            Snapshot wanted = work.snapshots().find(id).orElseThrow(() -> unknown("there is no snapshot " + id));
            List<Snapshot.Entry> entries =
                    work.snapshots().entries(id, "", MOST_FILES); // it may be the oldest, which goes now
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

    /** The next version of a file is what a version was, be it one of the same file or of another one that had its path. */
    static FileVersion again(Work work, FileInfo file, UUID of, int version, Author author) {
        Content content = work.files().read(of, version);
        FileVersion was = work.files().version(of, version).orElseThrow();
        return work.files().append(file, content, was.mime(), was.metadata(), author);
    }

    // ---- turns

    /**
     * Makes the files that turns changed, and delegates for them, what they were before. What somebody else has changed since stays as it is.
     * What the turns write from now on is refused. The same call does it once.
     */
    public Reversion takeBack(UUID call, List<UUID> turns, Author.Person by) {
        return locked(work -> new TurnUndo(work, call, by).takeBack(turns));
    }

    /** Makes files again what they were before these calls took changes of them back, the last one first. The same call does it once. */
    public Reversion bringBack(UUID call, List<UUID> reversions, Author.Person by) {
        return locked(work -> new TurnUndo(work, call, by).bringBack(reversions));
    }

    /** Why no file of this path can be there again. */
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

    /** Whether a version that is brought in is there. */
    boolean has(ArchivedVersion version) {
        return all.archived(host, project, rows -> rows.now(version.file()))
                .filter(now -> now.version() >= version.version())
                .isPresent();
    }

    /**
     * Brings in the next version of a file, which is shown by {@link #show}.
     *
     * @param content null for the deletion of the file
     * @throws WorkspaceException when it cannot be one, saying why
     */
    void bringIn(ArchivedVersion version, @Nullable Content content) {
        boolean damaged = content == null
                ? version.version() == 1
                : content.size() > MOST_BYTES || !content.sha256().equals(version.sha256());
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

    /** Shows a file of which all is there, unless this is its deletion. @throws WorkspaceException where there is no place for it */
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

    /** A change that a call makes once; before the first one of its step there is a snapshot. */
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
