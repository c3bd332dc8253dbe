package dev.parley.control.projects;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.project_t}. The state of a checkout is not stored. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ProjectRows extends GenericRepository<ProjectJson, UUID> {
    String SELECT = """
            SELECT p.project_id, p.project_key, p.name, p.description, p.type, p.path, p.git_remote, p.external_key, p.icon_url,
              p.color, p.settings, p.owner_id, p.created_ts, p.update_ts, p.archived_ts, CAST(NULL AS text) AS checkout,
              p.aggregate_version
            FROM control.project_t p
            """;
    String CHANGED = """
            aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            """;

    String PAGE = """
            AND p.host_id = :host AND p.active AND (:archived OR p.archived_ts IS NULL)
              AND (CAST(:onlyProject AS uuid) IS NULL OR p.project_id = :onlyProject)
              AND (CAST(:path AS text) IS NULL OR p.path = :path)
              AND (CAST(:after AS uuid) IS NULL
                   OR (p.created_ts, p.project_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY p.created_ts DESC, p.project_id DESC LIMIT :limit
            """;

    /**
     * Projects of a host, newest first.
     *
     * @param onlyProject id of the only project to return, or null
     */
    @Query(SELECT + "WHERE true " + PAGE)
    List<ProjectJson> page(
            UUID host,
            boolean archived,
            @Nullable UUID onlyProject,
            @Nullable String path,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);

    /** Projects of a member, newest first. */
    @Query(SELECT + """
            WHERE EXISTS (SELECT FROM control.project_member_t m WHERE m.host_id = p.host_id
              AND m.project_id = p.project_id AND m.user_id = :user AND m.active)
            """ + PAGE)
    List<ProjectJson> pageOf(
            UUID user,
            UUID host,
            boolean archived,
            @Nullable UUID onlyProject,
            @Nullable String path,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);

    @Query(SELECT + "WHERE p.project_id = :id AND p.active")
    Optional<ProjectJson> find(UUID id);

    /** An active project, locked until the transaction ends. */
    @Query(SELECT + "WHERE p.project_id = :id AND p.active FOR UPDATE")
    Optional<ProjectJson> locked(UUID id);

    /** @param all whether to include projects that the user is not a member of */
    @Query(SELECT + """
            WHERE p.host_id = :host AND p.external_key = :externalKey AND p.active AND (:all OR EXISTS (
              SELECT FROM control.project_member_t m WHERE m.host_id = p.host_id
              AND m.project_id = p.project_id AND m.user_id = :user AND m.active))
            """)
    Optional<ProjectJson> byExternalKey(UUID host, String externalKey, boolean all, UUID user);

    @Query("SELECT count(*) FROM control.project_t WHERE host_id = :host AND owner_id = :owner AND active")
    long countOwned(UUID host, UUID owner);

    /** @param settings JSON, or null for none */
    @Query("""
            INSERT INTO control.project_t (host_id, project_id, project_key, name, description, type, path, git_remote,
              external_key, icon_url, color, settings, owner_id, update_user)
            VALUES (:host, :id, :key, :name, :description, :type, :path, :gitRemote, :externalKey, :iconUrl, :color,
              coalesce(CAST(:settings AS jsonb), '{}'), :owner, :actor)
            """)
    void insert(
            UUID host,
            UUID id,
            String key,
            @Nullable String name,
            @Nullable String description,
            @Nullable String type,
            @Nullable String path,
            @Nullable String gitRemote,
            @Nullable String externalKey,
            @Nullable String iconUrl,
            @Nullable String color,
            @Nullable String settings,
            UUID owner,
            String actor);

    /** Inserts an imported project with these details, without its external key where another project has it. */
    @Query("""
            INSERT INTO control.project_t (host_id, project_id, project_key, name, description, git_remote, external_key,
              icon_url, color, settings, owner_id, update_user)
            SELECT :host, :id, :key, :name, d->>'description', d->>'gitRemote',
              CASE WHEN NOT EXISTS (SELECT FROM control.project_t p
                     WHERE p.host_id = :host AND p.external_key = d->>'externalKey') THEN d->>'externalKey' END,
              d->>'iconUrl', d->>'color', coalesce(d->'settings', '{}'), :owner, :actor
            FROM (SELECT CAST(:details AS jsonb) AS d) given
            """)
    void insertImported(UUID host, UUID id, String key, String name, UUID owner, String actor, String details);

    /** The details of a project as JSON. */
    @Query("""
            SELECT CAST(jsonb_strip_nulls(jsonb_build_object('description', description, 'gitRemote', git_remote,
              'externalKey', external_key, 'iconUrl', icon_url, 'color', color, 'settings', settings)) AS text)
            FROM control.project_t WHERE project_id = :id
            """)
    Optional<String> details(UUID id);

    @Query("""
            INSERT INTO control.project_member_t (host_id, project_id, user_id, role, update_user)
            VALUES (:host, :project, :owner, 'owner', :actor)
            """)
    void insertOwner(UUID host, UUID project, UUID owner, String actor);

    /** Changes the fields that are not null; an empty text clears a field. */
    @Query("""
            UPDATE control.project_t SET name = coalesce(CAST(:name AS text), name),
              description = CASE WHEN CAST(:description AS text) IS NULL THEN description ELSE nullif(:description, '') END,
              icon_url = CASE WHEN CAST(:iconUrl AS text) IS NULL THEN icon_url ELSE nullif(:iconUrl, '') END,
              color = CASE WHEN CAST(:color AS text) IS NULL THEN color ELSE nullif(:color, '') END,
              settings = coalesce(CAST(:settings AS jsonb), settings),
            """ + CHANGED + """
            WHERE project_id = :id
            """)
    void change(
            UUID id,
            @Nullable String name,
            @Nullable String description,
            @Nullable String iconUrl,
            @Nullable String color,
            @Nullable String settings,
            String actor);

    @Query("UPDATE control.project_t SET archived_ts = CASE WHEN :archived THEN now() END, " + CHANGED
            + "WHERE project_id = :id")
    void archive(UUID id, boolean archived, String actor);

    @Query("""
            UPDATE control.project_t SET name = 'erased', description = NULL, type = 'remote', path = NULL,
              git_remote = NULL, external_key = NULL, icon_url = NULL, color = NULL, settings = '{}', owner_id = NULL,
              archived_ts = coalesce(archived_ts, now()), active = false, erasure_id = :erasure,
            """ + CHANGED + """
            WHERE project_id = :id
            """)
    void erase(UUID id, UUID erasure, String actor);

    /** Deletes the members, API keys and definitions of an erased project. */
    @Query("""
            WITH m AS (DELETE FROM control.project_member_t WHERE project_id = :id),
              k AS (DELETE FROM control.api_key_t WHERE project_id = :id),
              a AS (DELETE FROM control.agent_definition_t WHERE project_id = :id),
              r AS (DELETE FROM control.permission_rule_t WHERE project_id = :id),
              t AS (DELETE FROM control.tool_t WHERE project_id = :id),
              s AS (DELETE FROM control.skill_t WHERE project_id = :id)
            DELETE FROM control.endpoint_t WHERE project_id = :id
            """)
    void deleteContents(UUID id);
}
