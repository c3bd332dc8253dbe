package dev.parley.tools.files;

import dev.parley.tools.files.Contents.Stored;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The files and versions of a project, within a transaction; {@link Contents} stores their content. */
record ProjectFiles(UUID host, UUID project, FileRows rows, VersionRows versions, Contents contents) {
    Optional<FileInfo> live(FilePath path) {
        return rows.live(host, project, path.value());
    }

    /** The existing file, else the last deleted one of this path. */
    Optional<FileInfo> any(FilePath path) {
        return live(path).or(() -> rows.lastDeleted(host, project, path.value()));
    }

    Optional<FileInfo> byId(UUID file) {
        return rows.find(host, project, file);
    }

    /** The files whose paths have this prefix, after a path, ordered by path. */
    List<FileInfo> below(String prefix, String after, int limit) {
        return rows.below(host, project, prefix, after, beyond(prefix), limit);
    }

    /** The files below a prefix, restricted to the type of a filter. */
    List<FileInfo> below(String prefix, FileFilter filter, String after, int limit) {
        return filter.firstType()
                .map(first ->
                        rows.ofTypeBelow(host, project, first, filter.lastType(), prefix, after, beyond(prefix), limit))
                .orElseGet(() -> below(prefix, after, limit));
    }

    List<FileInfo> deletedBelow(String prefix, String afterPath, UUID afterId, int limit) {
        return rows.deletedBelow(host, project, prefix, beyond(prefix), afterPath, afterId, limit);
    }

    /** An upper bound of all paths with this prefix: no path contains this character. */
    private static String beyond(String prefix) {
        return prefix + Character.toString(Character.MAX_CODE_POINT);
    }

    /** Whether a folder has this path. */
    boolean isFolder(FilePath path) {
        return !below(path.prefix(), "", 1).isEmpty();
    }

    Optional<FileVersion> version(UUID file, int version) {
        return versions.find(host, project, file, version);
    }

    /** Creates a file; none of this path exists. */
    FileVersion create(FilePath path, FileData content, String mime, FileMetadata metadata, Author author) {
        UUID id = UUID.randomUUID();
        insert(id, path.value(), content, mime, metadata, author.name(), null);
        return insert(id, 1, contents.store(content), content, mime, metadata, author);
    }

    private void insert(
            UUID file,
            String path,
            FileData content,
            String mime,
            FileMetadata metadata,
            String author,
            @Nullable Instant importedAt) {
        rows.insert(
                host,
                project,
                file,
                path,
                mime,
                metadata,
                content.isText(),
                content.size(),
                content.sha256(),
                author,
                importedAt);
    }

    /** Adds the next version of a file; a deleted file is restored. */
    FileVersion append(FileInfo file, FileData content, String mime, FileMetadata metadata, Author author) {
        int next = file.version() + 1;
        Stored stored = contents.store(content, file.id(), next);
        update(file.id(), next, content, mime, metadata, author.name(), null);
        return insert(file.id(), next, stored, content, mime, metadata, author);
    }

    private void update(
            UUID file,
            int version,
            FileData content,
            String mime,
            FileMetadata metadata,
            String author,
            @Nullable Instant importedAt) {
        rows.update(
                host,
                file,
                version,
                mime,
                metadata,
                content.isText(),
                content.size(),
                content.sha256(),
                author,
                importedAt);
    }

    /** Adds the deletion of a file as a version. */
    FileVersion delete(FileInfo file, Author author) {
        int next = file.version() + 1;
        rows.hide(host, file.id(), next, author.name(), null);
        return insert(file.id(), next, Stored.deleted(next), null, file.mime(), file.metadata(), author);
    }

    private FileVersion insert(
            UUID file,
            int version,
            Stored stored,
            @Nullable FileData content,
            String mime,
            FileMetadata metadata,
            Author author) {
        insert(file, version, stored, content, mime, metadata, Provenance.of(author));
        return version(file, version).orElseThrow();
    }

    /**
     * Adds the next version of an imported file, which stays hidden as deleted until its import is complete.
     *
     * @param content null for the deletion of the file
     */
    void add(ArchivedVersion version, @Nullable FileData content) {
        Instant at = Instant.parse(version.at());
        String json = version.metadata();
        FileMetadata metadata = json == null ? FileMetadata.NONE : FileMetadata.read(json);
        Stored stored;
        if (content == null) {
            stored = Stored.deleted(version.version());
            rows.hide(host, version.file(), version.version(), version.author(), at);
        } else if (version.version() == 1) {
            stored = contents.store(content);
            insert(version.file(), version.path(), content, version.mime(), metadata, version.author(), at);
        } else {
            stored = contents.store(content, version.file(), version.version());
            update(version.file(), version.version(), content, version.mime(), metadata, version.author(), at);
        }
        insert(
                version.file(),
                version.version(),
                stored,
                content,
                version.mime(),
                metadata,
                Provenance.of(version, at));
    }

    private void insert(
            UUID file,
            int version,
            Stored stored,
            @Nullable FileData content,
            String mime,
            FileMetadata metadata,
            Provenance provenance) {
        versions.insert(
                host,
                project,
                file,
                version,
                stored.kind(),
                stored.base(),
                stored.content(),
                mime,
                metadata,
                content != null && content.isText(),
                content == null ? 0L : content.size(),
                content == null ? null : content.sha256(),
                provenance.by(),
                provenance.author(),
                provenance.session(),
                provenance.turn(),
                provenance.top(),
                provenance.step(),
                provenance.call(),
                provenance.at());
    }
}
