package dev.parley.tools.files;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code tools.file_t} and {@code tools.workspace_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface FileRows extends GenericRepository<FileInfo, UUID> {
    String SELECT = """
            SELECT file_id AS id, path, mime, metadata, is_text AS text, size, sha256, version, created_ts AS created_at,
              update_ts AS updated_at, deleted_ts AS deleted_at
            FROM tools.file_t WHERE host_id = :host AND project_id = :project
            """;
    String OF_PATH = "AND path IN (:path, normalize(CAST(:path AS text), NFD)) ";
    String BELOW = """
            AND path >= :prefix AND path > :after AND path < :end AND deleted_ts IS NULL ORDER BY path LIMIT :limit
            """;

    /** The live file with this path, which files of older releases may have in another normal form. */
    @Query(SELECT + OF_PATH + "AND deleted_ts IS NULL ORDER BY path = :path DESC LIMIT 1")
    Optional<FileInfo> live(UUID host, UUID project, String path);

    @Query(SELECT + OF_PATH + "AND deleted_ts IS NOT NULL ORDER BY deleted_ts DESC LIMIT 1")
    Optional<FileInfo> lastDeleted(UUID host, UUID project, String path);

    @Query(SELECT + "AND file_id = :file")
    Optional<FileInfo> find(UUID host, UUID project, UUID file);

    /**
     * The files whose paths have this prefix, after a path, ordered by path.
     *
     * @param end an upper bound of paths
     */
    @Query(SELECT + BELOW)
    List<FileInfo> below(UUID host, UUID project, String prefix, String after, String end, int limit);

    /** The files below a prefix with media types from the first to the last. */
    @Query(SELECT + "AND mime >= :first AND mime <= :last " + BELOW)
    List<FileInfo> ofTypeBelow(
            UUID host, UUID project, String first, String last, String prefix, String after, String end, int limit);

    @Query(SELECT + """
            AND path >= :prefix AND path < :end AND deleted_ts IS NOT NULL AND (path, file_id) > (:afterPath, :afterId)
            ORDER BY path, file_id LIMIT :limit
            """)
    List<FileInfo> deletedBelow(
            UUID host, UUID project, String prefix, String end, String afterPath, UUID afterId, int limit);

    @Query("SELECT count(*) FROM tools.file_t WHERE host_id = :host AND project_id = :project AND deleted_ts IS NULL")
    int count(UUID host, UUID project);

    /** The ids of the files that existed at a time, after this id. */
    @Query("""
            SELECT file_id FROM tools.file_t
            WHERE host_id = :host AND project_id = :project AND file_id > :after AND created_ts <= :asOf
            ORDER BY file_id LIMIT :limit
            """)
    List<UUID> ids(UUID host, UUID project, UUID after, Instant asOf, int limit);

    /**
     * Inserts a file with its first version.
     *
     * @param importedAt creation time of an imported file, which is hidden as deleted; else null
     */
    @Query("""
            INSERT INTO tools.file_t (host_id, project_id, file_id, path, mime, metadata, is_text, size, sha256, version,
              created_ts, deleted_ts, update_ts, update_user)
            VALUES (:host, :project, :file, :path, :mime, CAST(:metadata AS jsonb), :text, :size, :sha256, 1,
              coalesce(CAST(:importedAt AS timestamptz), clock_timestamp()), CAST(:importedAt AS timestamptz),
              coalesce(CAST(:importedAt AS timestamptz), now()), :author)
            """)
    void insert(
            UUID host,
            UUID project,
            UUID file,
            String path,
            String mime,
            FileMetadata metadata,
            boolean text,
            long size,
            String sha256,
            String author,
            @Nullable Instant importedAt);

    /**
     * Sets the next version of a file, which is no longer deleted.
     *
     * @param importedAt creation time of an imported version, which is hidden as deleted; else null
     */
    @Query("""
            UPDATE tools.file_t SET mime = :mime, metadata = CAST(:metadata AS jsonb), is_text = :text, size = :size,
              sha256 = :sha256, version = :version, deleted_ts = CAST(:importedAt AS timestamptz),
              update_ts = coalesce(CAST(:importedAt AS timestamptz), clock_timestamp()), update_user = :author
            WHERE host_id = :host AND file_id = :file
            """)
    void update(
            UUID host,
            UUID file,
            int version,
            String mime,
            FileMetadata metadata,
            boolean text,
            long size,
            String sha256,
            String author,
            @Nullable Instant importedAt);

    /** Sets the next version of a file, its deletion. */
    @Query("""
            UPDATE tools.file_t SET version = :version,
              deleted_ts = coalesce(CAST(:importedAt AS timestamptz), clock_timestamp()),
              update_ts = coalesce(CAST(:importedAt AS timestamptz), clock_timestamp()), update_user = :author
            WHERE host_id = :host AND file_id = :file
            """)
    void hide(UUID host, UUID file, int version, String author, @Nullable Instant importedAt);

    /** Shows a file whose import is complete. */
    @Query("UPDATE tools.file_t SET deleted_ts = NULL WHERE host_id = :host AND file_id = :file")
    void show(UUID host, UUID file);

    @Query("INSERT INTO tools.workspace_t (host_id, project_id) VALUES (:host, :project) ON CONFLICT DO NOTHING")
    void addWorkspace(UUID host, UUID project);

    /** Locks the workspace until the transaction ends; returns whether it is erased. */
    @Query("""
            SELECT erased_ts IS NOT NULL FROM tools.workspace_t WHERE host_id = :host AND project_id = :project FOR UPDATE
            """)
    boolean lock(UUID host, UUID project);

    /** Rejects later writes. */
    @Query("""
            INSERT INTO tools.workspace_t (host_id, project_id, erased_ts) VALUES (:host, :project, now())
            ON CONFLICT (host_id, project_id) DO UPDATE SET erased_ts = coalesce(workspace_t.erased_ts, excluded.erased_ts)
            """)
    void markErased(UUID host, UUID project);

    /** Whether the tables exist. */
    @Query("SELECT to_regclass('tools.file_t') IS NOT NULL")
    boolean exist();
}
