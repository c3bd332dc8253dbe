package dev.parley.control.definitions;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code control.agent_definition_t}. The project of a host agent is null. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface AgentRows extends GenericRepository<AgentRow, UUID> {
    String COLUMNS =
            "host_id, agent_def_id, project_id, name, body, aggregate_version, active, update_ts, update_user ";

    String HERE = " WHERE host_id = CAST(:host AS uuid) AND project_id IS NOT DISTINCT FROM CAST(:project AS uuid)";
    String ONE = "SELECT " + COLUMNS + "FROM control.agent_definition_t" + HERE + " AND name = :name AND active";

    /** The active agents that a project sees, those of the host first. */
    @Query("SELECT " + COLUMNS + """
            FROM control.agent_definition_t
            WHERE host_id = :host AND (project_id IS NULL OR project_id = CAST(:project AS uuid)) AND active
            ORDER BY project_id NULLS FIRST
            """)
    List<AgentRow> visible(UUID host, @Nullable UUID project);

    /** The active or the deleted agents of a scope, by name, in the order in which Java compares. */
    @Query("SELECT " + COLUMNS + "FROM control.agent_definition_t" + HERE
            + " AND active = :active ORDER BY name COLLATE \"C\"")
    List<AgentRow> own(UUID host, @Nullable UUID project, boolean active);

    @Query("SELECT count(*) FROM control.agent_definition_t" + HERE + " AND active")
    long count(UUID host, @Nullable UUID project);

    /** An active agent. */
    @Query(ONE)
    Optional<AgentRow> find(@Nullable UUID host, @Nullable UUID project, String name);

    /** An active agent, locked until the transaction ends. */
    @Query(ONE + " FOR UPDATE")
    Optional<AgentRow> locked(UUID host, @Nullable UUID project, String name);

    /**
     * Inserts an agent, reuses the row of a deleted one, or changes the agent with this id; changes nothing where
     * another agent has the name.
     */
    @Query("""
            INSERT INTO control.agent_definition_t AS a (host_id, agent_def_id, project_id, name, body, update_user)
            VALUES (:hostId, :agentDefId, CAST(:projectId AS uuid), :name, CAST(:body AS jsonb), :updatedBy)
            ON CONFLICT (host_id, project_id, name) DO UPDATE SET agent_def_id = excluded.agent_def_id, active = true,
              aggregate_version = a.aggregate_version + 1, update_ts = now(), update_user = excluded.update_user,
              body = excluded.body
            WHERE NOT a.active OR a.agent_def_id = excluded.agent_def_id
            """)
    void put(AgentRow row);

    @Query("""
            UPDATE control.agent_definition_t SET active = false, aggregate_version = aggregate_version + 1, update_ts = now(),
              update_user = :actor
            """ + HERE + " AND active AND name = :name")
    void delete(UUID host, @Nullable UUID project, String name, String actor);

    /** Whether a credential of the provider is the user's own or, if these may be used, the host's. */
    @Query("""
            SELECT EXISTS (SELECT FROM control.provider_credential_t
              WHERE host_id = :host AND credential_id = :id AND provider = :provider AND active
                AND (user_id = :user OR (user_id IS NULL AND :hosts)))
            """)
    boolean hasCredential(UUID host, UUID id, String provider, UUID user, boolean hosts);
}
