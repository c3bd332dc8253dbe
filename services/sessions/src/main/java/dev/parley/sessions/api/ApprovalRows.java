package dev.parley.sessions.api;

import dev.parley.sessions.api.ApprovalReadController.Approval;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of the pending approvals in {@code sessions.tool_call_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ApprovalRows extends GenericRepository<Approval, UUID> {
    /**
     * A page of pending approvals, oldest first; null filters match all.
     *
     * @param user owner of the sessions
     * @param after the last call of the previous page, or null
     */
    @Query("""
            SELECT c.approval_id AS id, s.session_key AS session, c.turn_id AS turn, c.call_id AS call, c.tool_name AS tool,
              p.content->>'arguments' AS arguments, c.subject, c.approval_reason AS reason, c.rule_id AS rule,
              c.created_ts AS asked_at, c.approval_until_ts AS expires_at
            FROM sessions.tool_call_t c
            JOIN sessions.agent_session_t s ON s.host_id = c.host_id AND s.session_id = c.session_id AND s.status <> 'deleted'
            JOIN sessions.agent_message_part_t p ON p.host_id = c.host_id AND p.project_id = c.project_id
              AND p.session_id = c.session_id AND p.part_id = c.part_id
            WHERE c.host_id = :host AND c.project_id = :project AND c.approval = 'asked'
              AND (CAST(:session AS text) IS NULL OR s.session_key = :session)
              AND (CAST(:user AS text) IS NULL OR s.user_id = :user)
              AND (CAST(:after AS uuid) IS NULL
                   OR (c.created_ts, c.call_id) > (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY c.created_ts, c.call_id LIMIT :limit
            """)
    List<Approval> page(
            UUID host,
            UUID project,
            @Nullable String session,
            @Nullable String user,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);
}
