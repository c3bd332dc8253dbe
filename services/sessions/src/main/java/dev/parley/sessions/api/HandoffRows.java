package dev.parley.sessions.api;

import dev.parley.sessions.api.HandoffReadController.HandoffJson;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.handoff_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface HandoffRows extends GenericRepository<HandoffJson, UUID> {
    /**
     * A page of open handoffs, oldest first; null filters match all.
     *
     * @param user owner of the sessions
     * @param after the last handoff of the previous page, or null
     */
    @Query("""
            SELECT f.handoff_id AS id, s.session_key AS session, s.title, s.channel, f.status, f.asked_by, f.reason,
              f.operator_id AS operator, f.operator_name AS name, f.asked_ts AS asked_at, f.taken_ts AS taken_at,
              (SELECT count(*) FROM sessions.agent_turn_t t WHERE t.host_id = f.host_id AND t.project_id = f.project_id
                 AND t.session_id = f.session_id AND t.state = 'QUEUED') AS waiting
            FROM sessions.handoff_t f
            JOIN sessions.agent_session_t s ON s.host_id = f.host_id AND s.session_id = f.session_id AND s.status <> 'deleted'
            WHERE f.host_id = :host AND f.project_id = :project AND f.active
              AND (CAST(:status AS text) IS NULL OR f.status = :status)
              AND (CAST(:session AS text) IS NULL OR s.session_key = :session)
              AND (CAST(:user AS text) IS NULL OR s.user_id = :user)
              AND (CAST(:after AS uuid) IS NULL
                   OR (f.asked_ts, f.handoff_id) > (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY f.asked_ts, f.handoff_id LIMIT :limit
            """)
    List<HandoffJson> page(
            UUID host,
            UUID project,
            @Nullable String status,
            @Nullable String session,
            @Nullable String user,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);
}
