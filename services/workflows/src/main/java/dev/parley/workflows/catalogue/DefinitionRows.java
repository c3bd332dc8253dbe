package dev.parley.workflows.catalogue;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code workflows.wf_definition_t}. The project is null for host-level definitions. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface DefinitionRows extends GenericRepository<DefinitionRow, UUID> {
    String COLUMNS = """
            host_id, wf_def_id, project_id, namespace, name, version, definition, digest, title, summary, aggregate_version,
              active, revision, imported, created_ts, update_ts, update_user
            """;

    /** The versions of a name in a scope, including deleted ones. */
    String VERSIONS = """
            host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid)
              AND namespace = :namespace AND name = :name
            """;

    /** Id of a version. */
    @Introspected
    record VersionId(UUID wfDefId, String version) {}

    /** Name of the versions of a definition. */
    @Introspected
    record Name(String namespace, String name) {}

    /** Name of the versions of a definition in its scope. */
    @Introspected
    record ScopedName(UUID hostId, @Nullable UUID projectId, String namespace, String name) {}

    /** A page of a scope, by namespace, name and id; {@code after} is the last id of the page before. */
    @Query("SELECT " + COLUMNS + """
            FROM workflows.wf_definition_t
            WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND active
              AND (CAST(:namespace AS text) IS NULL OR namespace = :namespace)
              AND (CAST(:name AS text) IS NULL OR name = :name)
              AND (CAST(:after AS uuid) IS NULL OR (namespace || ':' || name, wf_def_id)
              > (:afterName, CAST(:after AS uuid)))
            ORDER BY namespace || ':' || name, wf_def_id LIMIT :limit
            """)
    List<DefinitionRow> page(
            UUID host,
            @Nullable UUID project,
            @Nullable String namespace,
            @Nullable String name,
            @Nullable String afterName,
            @Nullable UUID after,
            int limit);

    @Query("SELECT " + COLUMNS + """
            FROM workflows.wf_definition_t
            WHERE host_id = :host AND wf_def_id = :id AND active
              AND (project_id IS NULL OR project_id IS NOT DISTINCT FROM CAST(:project AS uuid))
            """)
    Optional<DefinitionRow> find(UUID host, @Nullable UUID project, UUID id);

    /** Versions of a name in the project and its host; at most the newest 200. */
    @Query("SELECT " + COLUMNS + """
            FROM workflows.wf_definition_t
            WHERE host_id = :host AND namespace = :namespace AND name = :name AND active
              AND (project_id IS NULL OR project_id IS NOT DISTINCT FROM CAST(:project AS uuid))
            ORDER BY created_ts DESC LIMIT 200
            """)
    List<DefinitionRow> versions(UUID host, @Nullable UUID project, String namespace, String name);

    /** All versions of a scope that were published. */
    @Query("SELECT wf_def_id, version FROM workflows.wf_definition_t WHERE active AND NOT imported AND " + VERSIONS)
    List<VersionId> published(UUID host, @Nullable UUID project, String namespace, String name);

    /** A version of a scope, including deleted ones. */
    @Query("SELECT " + COLUMNS + "FROM workflows.wf_definition_t WHERE version = :version AND " + VERSIONS)
    Optional<DefinitionRow> version(UUID host, @Nullable UUID project, String namespace, String name, String version);

    @Query("""
            SELECT count(*) FROM workflows.wf_definition_t
            WHERE host_id = :host AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid)
            """)
    long count(UUID host, @Nullable UUID project);

    /** The revision of a name: that of the last change of its versions; 0 if there is none. */
    @Query("SELECT coalesce(max(revision), 0) FROM workflows.wf_definition_t WHERE " + VERSIONS)
    long revision(UUID host, @Nullable UUID project, String namespace, String name);

    /**
     * The revision of the next change of a name. It is the time in microseconds, so that it is also higher than those
     * that a restored database does not know.
     */
    @Query("""
            SELECT greatest(coalesce(max(revision), 0) + 1, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint))
            FROM workflows.wf_definition_t WHERE
            """ + VERSIONS)
    long nextRevision(UUID host, @Nullable UUID project, String namespace, String name);

    /** Names whose schedules have not confirmed a change within half a minute; the oldest. */
    @Query("""
            SELECT host_id, project_id, namespace, name FROM workflows.wf_definition_t
            WHERE confirmed < revision AND update_ts < now() - interval '30 seconds'
            GROUP BY host_id, project_id, namespace, name ORDER BY min(update_ts) LIMIT 100
            """)
    List<ScopedName> unconfirmed();

    /** Records that the schedule of a name has taken over the changes up to a revision. */
    @Query("""
            UPDATE workflows.wf_definition_t SET confirmed = revision
            WHERE confirmed < revision AND revision <= :revision AND
            """ + VERSIONS)
    void confirm(UUID host, @Nullable UUID project, String namespace, String name, long revision);

    /** Inserts a version; returns 1, or 0 if it exists already. */
    @Query("""
            INSERT INTO workflows.wf_definition_t (host_id, wf_def_id, project_id, namespace, name, version, definition, digest,
              title, summary, revision, imported, update_user)
            VALUES (:host, :id, CAST(:project AS uuid), :namespace, :name, :version, :definition, :digest, :title, :summary,
              :revision, :imported, :user)
            ON CONFLICT DO NOTHING
            """)
    int insert(
            UUID host,
            UUID id,
            @Nullable UUID project,
            String namespace,
            String name,
            String version,
            String definition,
            String digest,
            @Nullable String title,
            @Nullable String summary,
            long revision,
            boolean imported,
            String user);

    /** Deletes or restores a version; returns the number of changed rows. */
    @Query("""
            UPDATE workflows.wf_definition_t SET active = :active, revision = :revision, imported = :imported,
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :user
            WHERE host_id = :host AND wf_def_id = :id AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid)
              AND (active <> :active OR imported <> :imported)
            """)
    int activate(
            UUID host, @Nullable UUID project, UUID id, boolean active, long revision, boolean imported, String user);

    /** Repeats the publication of a version: its schedule is set again. */
    @Query("""
            UPDATE workflows.wf_definition_t SET revision = :revision
            WHERE host_id = :host AND wf_def_id = :id AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid) AND active
            """)
    void renew(UUID host, @Nullable UUID project, UUID id, long revision);

    /** The names of a project's definitions. */
    @Query(
            "SELECT DISTINCT namespace, name FROM workflows.wf_definition_t WHERE host_id = :host AND project_id = :project")
    List<Name> names(UUID host, UUID project);

    /** Deletes all definitions of a project; returns their number. */
    @Query("DELETE FROM workflows.wf_definition_t WHERE host_id = :host AND project_id = :project")
    int deleteAll(UUID host, UUID project);
}
