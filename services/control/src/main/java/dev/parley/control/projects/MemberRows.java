package dev.parley.control.projects;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.project_member_t}, without members who were removed from the project or the host. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface MemberRows extends GenericRepository<MemberJson, UUID> {
    String SELECT = """
            SELECT m.user_id, u.username, u.avatar_url, m.role, m.permissions, m.joined_ts, m.invited_by,
              m.active AND h.active AND u.active AS active, m.aggregate_version
            FROM control.project_member_t m JOIN control.user_t u USING (user_id)
            JOIN control.user_host_t h ON h.host_id = m.host_id AND h.user_id = m.user_id
            """;

    /**
     * Members in the order in which they joined.
     *
     * @param inactive whether to include removed members
     */
    @Query(SELECT + """
            WHERE m.project_id = :project AND (:inactive OR m.active AND h.active AND u.active)
            ORDER BY m.joined_ts, m.user_id LIMIT :limit
            """)
    List<MemberJson> list(UUID project, boolean inactive, int limit);

    @Query(SELECT + "WHERE m.project_id = :project AND m.user_id = :user AND m.active AND h.active AND u.active")
    Optional<MemberJson> find(UUID project, UUID user);

    /** Locks the member until the transaction ends. */
    @Query(
            "SELECT count(*) FROM (SELECT FROM control.project_member_t WHERE project_id = :project AND user_id = :user FOR UPDATE) m")
    long lock(UUID project, UUID user);

    /** Locks the project until the transaction ends. */
    @Query("SELECT count(*) FROM (SELECT FROM control.project_t WHERE project_id = :project FOR UPDATE) p")
    long lockProject(UUID project);

    /**
     * A person of the host.
     *
     * @param name username or proved e-mail address, if the id is null
     */
    @Query("""
            SELECT u.user_id FROM control.user_t u JOIN control.user_host_t h USING (user_id)
            WHERE h.host_id = :host AND h.active AND u.active
              AND (u.user_id = CAST(:id AS uuid) OR u.username_key = lower(CAST(:name AS text))
                   OR (u.email_key = lower(CAST(:name AS text)) AND u.email_proved_ts IS NOT NULL))
            """)
    Optional<UUID> user(UUID host, @Nullable UUID id, @Nullable String name);

    /** Adds a member; returns 0 where the person is already a member. */
    @Query("""
            INSERT INTO control.project_member_t AS m
              (host_id, project_id, user_id, role, permissions, invited_by, update_user)
            VALUES (:host, :project, :user, :role, CAST(:permissions AS jsonb), :inviting, :actor)
            ON CONFLICT (host_id, project_id, user_id) DO UPDATE SET role = excluded.role, active = true,
              permissions = excluded.permissions, invited_by = excluded.invited_by, joined_ts = now(),
              aggregate_version = m.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user
            WHERE NOT m.active
            """)
    int add(UUID host, UUID project, UUID user, String role, String permissions, UUID inviting, String actor);

    /** Adds a member of an imported project, unless the person is or was one. */
    @Query("""
            INSERT INTO control.project_member_t (host_id, project_id, user_id, role, permissions, invited_by, update_user)
            VALUES (:host, :project, :user, :role, CAST(:permissions AS jsonb), :inviter, :actor) ON CONFLICT DO NOTHING
            """)
    void admit(UUID host, UUID project, UUID user, String role, String permissions, UUID inviter, String actor);

    /** Changes the fields that are not null. */
    @Query("""
            UPDATE control.project_member_t SET role = coalesce(CAST(:role AS text), role),
              permissions = coalesce(CAST(:permissions AS jsonb), permissions),
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            WHERE project_id = :project AND user_id = :user
            """)
    void change(UUID project, UUID user, @Nullable String role, @Nullable String permissions, String actor);

    @Query("""
            UPDATE control.project_member_t SET active = false,
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            WHERE project_id = :project AND user_id = :user
            """)
    void remove(UUID project, UUID user, String actor);

    /** Makes the owner an admin. */
    @Query("""
            UPDATE control.project_member_t SET role = 'admin',
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            WHERE project_id = :project AND active AND role = 'owner'
            """)
    void demoteOwner(UUID project, String actor);

    @Query("""
            UPDATE control.project_t SET owner_id = :owner,
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :actor
            WHERE project_id = :project
            """)
    void setOwner(UUID project, UUID owner, String actor);
}
