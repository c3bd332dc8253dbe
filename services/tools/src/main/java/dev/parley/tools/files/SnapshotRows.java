package dev.parley.tools.files;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code tools.snapshot_t} and {@code tools.snapshot_file_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface SnapshotRows extends GenericRepository<WorkspaceSnapshot, UUID> {
    String SELECT = """
            SELECT snapshot_id AS id, hash, file_count AS files, reason, session_id, turn_id, step, created_ts AS at,
              update_user AS by
            FROM tools.snapshot_t WHERE host_id = :host AND project_id = :project
            """;

    /** The number of existing files and their hash. */
    @Introspected
    record Tree(int files, String hash) {}

    @Query("""
            SELECT count(*) AS files,
              encode(sha256(convert_to(coalesce(string_agg(path || ' ' || sha256 || chr(10), '' ORDER BY path), ''), 'UTF8')),
                'hex') AS hash
            FROM tools.file_t WHERE host_id = :host AND project_id = :project AND deleted_ts IS NULL
            """)
    Tree tree(UUID host, UUID project);

    @Query("""
            INSERT INTO tools.snapshot_t (host_id, project_id, snapshot_id, hash, file_count, reason, session_id, turn_id,
              step, update_user)
            VALUES (:host, :project, :id, :hash, :files, :reason, CAST(:session AS uuid), CAST(:turn AS uuid),
              CAST(:step AS int), :by)
            """)
    void insert(
            UUID host,
            UUID project,
            UUID id,
            String hash,
            int files,
            String reason,
            @Nullable UUID session,
            @Nullable UUID turn,
            @Nullable Integer step,
            String by);

    @Query("""
            INSERT INTO tools.snapshot_file_t (host_id, project_id, snapshot_id, file_id, version)
            SELECT host_id, project_id, CAST(:id AS uuid), file_id, version
            FROM tools.file_t WHERE host_id = :host AND project_id = :project AND deleted_ts IS NULL
            """)
    void insertFiles(UUID host, UUID project, UUID id);

    /** Whether there is a snapshot before a step of a turn. */
    @Query("""
            SELECT EXISTS (SELECT FROM tools.snapshot_t
              WHERE host_id = :host AND project_id = :project AND turn_id = :turn AND step = :step)
            """)
    boolean isTaken(UUID host, UUID project, UUID turn, int step);

    @Query(SELECT + "AND snapshot_id = :id")
    Optional<WorkspaceSnapshot> find(UUID host, UUID project, UUID id);

    /**
     * A page of snapshots, newest first.
     *
     * @param after the last id of the previous page, or null
     */
    @Query(SELECT + """
              AND (CAST(:after AS uuid) IS NULL
                   OR (created_ts, snapshot_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY created_ts DESC, snapshot_id DESC LIMIT :limit
            """)
    List<WorkspaceSnapshot> page(UUID host, UUID project, @Nullable Instant afterTime, @Nullable UUID after, int limit);

    /** The files of a snapshot after a path, ordered by path. */
    @Query("""
            SELECT s.file_id AS file, f.path, s.version, v.metadata, v.sha256, v.size
            FROM tools.snapshot_file_t s
            JOIN tools.file_t f USING (host_id, file_id)
            JOIN tools.file_version_t v ON v.host_id = s.host_id AND v.file_id = s.file_id AND v.version = s.version
            WHERE s.host_id = :host AND s.project_id = :project AND s.snapshot_id = :id AND f.path > :after
            ORDER BY f.path LIMIT :limit
            """)
    List<WorkspaceSnapshot.Entry> entries(UUID host, UUID project, UUID id, String after, int limit);

    /** Counts the snapshots that users have requested. */
    @Query("SELECT count(*) FROM tools.snapshot_t WHERE host_id = :host AND project_id = :project AND reason = 'user'")
    int countRequested(UUID host, UUID project);

    /** @return the number of deleted rows, 0 or 1 */
    @Query("DELETE FROM tools.snapshot_t WHERE host_id = :host AND project_id = :project AND snapshot_id = :id")
    int delete(UUID host, UUID project, UUID id);

    /** Deletes automatic snapshots except for the newest ones. */
    @Query("""
            DELETE FROM tools.snapshot_t WHERE host_id = :host AND snapshot_id IN (
              SELECT snapshot_id FROM tools.snapshot_t WHERE host_id = :host AND project_id = :project AND reason <> 'user'
              ORDER BY created_ts DESC, snapshot_id DESC OFFSET :kept)
            """)
    void deleteSurplus(UUID host, UUID project, int kept);

    /**
     * Deletes files of automatic snapshots that are older than an age.
     *
     * @return the number of deleted rows
     */
    @Query("""
            DELETE FROM tools.snapshot_file_t WHERE ctid = ANY (ARRAY(
              SELECT f.ctid FROM tools.snapshot_t s JOIN tools.snapshot_file_t f USING (host_id, snapshot_id)
              WHERE s.reason <> 'user' AND s.created_ts < clock_timestamp() - :seconds * interval '1 second' LIMIT :limit))
            """)
    int deleteOldFiles(long seconds, int limit);

    /** Deletes automatic snapshots without files that are older than an age. */
    @Query("""
            DELETE FROM tools.snapshot_t s
            WHERE s.reason <> 'user' AND s.created_ts < clock_timestamp() - :seconds * interval '1 second'
              AND NOT EXISTS (SELECT FROM tools.snapshot_file_t f WHERE f.host_id = s.host_id AND f.snapshot_id = s.snapshot_id)
            """)
    void deleteOld(long seconds);
}
