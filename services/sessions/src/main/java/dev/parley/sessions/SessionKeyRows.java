package dev.parley.sessions;

import dev.parley.sessions.SessionKeyRows.Idle;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Repository of the keys in {@code sessions.agent_session_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface SessionKeyRows extends GenericRepository<Idle, String> {
    String FROM = """
            FROM sessions.agent_session_t s JOIN sessions.project_t p USING (host_id, project_id) WHERE s.host_id = :host
            """;

    String RECORD_KEYS = "SELECT DISTINCT p.project_key || '/' || s.session_key " + FROM;

    String NOT_REQUESTED = """
            AND NOT EXISTS (
              SELECT FROM sessions.erasure_t e WHERE e.host_id = s.host_id AND e.parent_id = :erasure
                AND e.subject = p.project_key || '/' || s.session_key)
            LIMIT 1000
            """;

    /**
     * A session without recent activity.
     *
     * @param recordKey the key with its project
     * @param seq number of its last event
     */
    @MappedEntity(value = "agent_session_t", schema = "sessions")
    record Idle(@Id String recordKey, long seq) {}

    @Query("SELECT DISTINCT session_key FROM sessions.agent_session_t WHERE project_id = :project")
    List<String> ofProject(UUID project);

    /**
     * Record keys of the delegates of sessions.
     *
     * @param parents ids of the sessions
     * @param session key of the parents
     */
    @Query(RECORD_KEYS + """
            AND s.project_id = :project AND s.parent_session_id = ANY (CAST(:parents AS uuid[]))
              AND s.session_key <> :session
            """)
    List<String> delegates(
            UUID host, UUID project, @TypeDef(type = DataType.STRING_ARRAY) List<UUID> parents, String session);

    /** Record keys of sessions of a user that were not requested for this erasure yet. */
    @Query(RECORD_KEYS + "AND s.user_id = :user " + NOT_REQUESTED)
    List<String> notRequestedOfUser(UUID host, String user, UUID erasure);

    /** Record keys of sessions of a project that were not requested for this erasure yet. */
    @Query(RECORD_KEYS + "AND s.project_id = :project " + NOT_REQUESTED)
    List<String> notRequestedOfProject(UUID host, UUID project, UUID erasure);

    @Query("SELECT p.project_key || '/' || s.session_key AS record_key, max(s.aggregate_version) AS seq " + FROM + """
            AND s.project_id = :project
            GROUP BY p.project_key, s.session_key HAVING max(s.update_ts) < :since LIMIT 1000
            """)
    List<Idle> idle(UUID host, UUID project, Instant since);
}
