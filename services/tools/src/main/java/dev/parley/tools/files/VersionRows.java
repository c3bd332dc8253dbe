package dev.parley.tools.files;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code tools.file_version_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface VersionRows extends GenericRepository<FileVersion, UUID> {
    String SELECT = """
            SELECT v.file_id AS file, f.path, v.version, v.mime, v.metadata, v.is_text AS text, v.size, v.sha256,
              v.author_kind = 'agent' AS by_agent, v.author, v.session_id, v.turn_id, v.top_turn_id, v.step, v.call_id,
              v.created_ts AS at
            FROM tools.file_version_t v JOIN tools.file_t f USING (host_id, file_id)
            WHERE v.host_id = :host AND v.project_id = :project
            """;

    /** A link of the patch chain of a version. */
    @Introspected
    record Link(
            int version, @Nullable String content, @Nullable String sha256) {
        boolean hasContent() {
            return content != null;
        }

        String inline() {
            return Objects.requireNonNull(content);
        }
    }

    /**
     * The changes of a file by turns and their delegates.
     *
     * @param first number of the first version that they created
     * @param current number of the current version
     * @param alone whether there are no other changes since, except for reverted ones
     */
    @Introspected
    record TurnChanges(UUID file, int first, int current, boolean alone) {}

    /** The version that a tool call has created. */
    @Query(SELECT + "AND v.call_id = :call")
    Optional<FileVersion> createdBy(UUID host, UUID project, UUID call);

    @Query(SELECT + "AND v.file_id = :file AND v.version = :version")
    Optional<FileVersion> find(UUID host, UUID project, UUID file, int version);

    /** The versions older than this one, newest first. */
    @Query(SELECT + "AND v.file_id = :file AND v.version < :before ORDER BY v.version DESC LIMIT :limit")
    List<FileVersion> before(UUID host, UUID project, UUID file, int before, int limit);

    /** The versions that existed at a time, after this one. */
    @Query(SELECT + """
            AND v.file_id = :file AND v.version > :after AND v.created_ts <= :asOf ORDER BY v.version LIMIT :limit
            """)
    List<FileVersion> after(UUID host, UUID project, UUID file, int after, Instant asOf, int limit);

    /** The versions that a turn has created, in order. */
    @Query(SELECT + "AND v.turn_id = :turn ORDER BY v.step, f.path, v.version LIMIT :limit")
    List<FileVersion> ofTurn(UUID host, UUID project, UUID turn, int limit);

    /** The changes of files by turns, ordered by path. */
    @Query("""
            SELECT f.file_id AS file, m.first, f.version AS current, NOT EXISTS (
                SELECT 1 FROM tools.file_version_t v
                WHERE v.host_id = f.host_id AND v.file_id = f.file_id AND v.version > m.first
                  AND (v.top_turn_id = ANY (CAST(:turns AS uuid[])) OR v.turn_id = ANY (CAST(:turns AS uuid[]))) IS NOT TRUE
                  AND NOT EXISTS (
                    SELECT 1 FROM tools.reversion_t r
                    WHERE r.host_id = v.host_id AND r.project_id = v.project_id AND r.undone_ts IS NULL
                      AND r.turns && ARRAY[v.top_turn_id, v.turn_id])
                  AND NOT EXISTS (
                    SELECT 1 FROM tools.reversion_t r
                    WHERE r.host_id = v.host_id AND r.project_id = v.project_id AND v.file_id = ANY (r.files)
                      AND EXISTS (SELECT 1 FROM unnest(r.files, r.to_versions) AS c (file, version)
                                  WHERE c.file = v.file_id AND c.version = v.version))) AS alone
            FROM (SELECT file_id, min(version) AS first FROM tools.file_version_t
                  WHERE host_id = :host AND project_id = :project
                    AND (top_turn_id = ANY (CAST(:turns AS uuid[])) OR turn_id = ANY (CAST(:turns AS uuid[])))
                  GROUP BY file_id) m
            JOIN tools.file_t f ON f.host_id = :host AND f.file_id = m.file_id ORDER BY f.path LIMIT :limit
            """)
    List<TurnChanges> changedBy(
            UUID host, UUID project, @TypeDef(type = DataType.STRING_ARRAY) List<UUID> turns, int limit);

    /** The patch chain of a version, in order. */
    @Query("""
            SELECT v.version, v.content, v.sha256
            FROM tools.file_version_t w
            JOIN tools.file_version_t v ON v.host_id = w.host_id AND v.file_id = w.file_id
              AND v.version BETWEEN w.base_version AND w.version
            WHERE w.host_id = :host AND w.project_id = :project AND w.file_id = :file AND w.version = :version ORDER BY v.version
            """)
    List<Link> chain(UUID host, UUID project, UUID file, int version);

    /**
     * Inserts a version.
     *
     * @param by {@code agent} or {@code user}
     * @param at creation time of an imported version, or null
     */
    @Query("""
            INSERT INTO tools.file_version_t (host_id, project_id, file_id, version, storage_kind, base_version, content, mime,
              metadata, is_text, size, sha256, author_kind, author, session_id, turn_id, top_turn_id, step, call_id, created_ts)
            VALUES (:host, :project, :file, :version, :kind, :base, CAST(:content AS text), :mime, CAST(:metadata AS jsonb),
              :text, :size, CAST(:sha256 AS text), :by, :author, CAST(:session AS uuid), CAST(:turn AS uuid),
              CAST(:top AS uuid), CAST(:step AS int), CAST(:call AS uuid),
              coalesce(CAST(:at AS timestamptz), clock_timestamp()))
            """)
    void insert(
            UUID host,
            UUID project,
            UUID file,
            int version,
            String kind,
            int base,
            @Nullable String content,
            String mime,
            FileMetadata metadata,
            boolean text,
            long size,
            @Nullable String sha256,
            String by,
            String author,
            @Nullable UUID session,
            @Nullable UUID turn,
            @Nullable UUID top,
            @Nullable Integer step,
            @Nullable UUID call,
            @Nullable Instant at);

    /** The addresses of these that versions reference. */
    @Query("""
            SELECT DISTINCT sha256 FROM tools.file_version_t
            WHERE storage_kind = 'blob' AND sha256 = ANY (CAST(:addresses AS text[]))
            """)
    List<String> referenced(@TypeDef(type = DataType.STRING_ARRAY) List<String> addresses);
}
