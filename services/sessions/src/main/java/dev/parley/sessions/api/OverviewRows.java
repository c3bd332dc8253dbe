package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.UsageJson;
import dev.parley.sessions.api.OverviewJson.Hour;
import dev.parley.sessions.api.OverviewJson.ModelUse;
import dev.parley.sessions.api.OverviewJson.OpenTurn;
import dev.parley.sessions.api.OverviewJson.ToolFigures;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Repository of the figures of an overview; lists have at most 20 rows. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface OverviewRows extends GenericRepository<OpenTurn, UUID> {
    /** A number of turns. */
    @Introspected
    record Count(String name, long number) {}

    /** Sums over model calls. */
    @Introspected
    record Sums(@TypeDef(type = DataType.JSON) UsageJson usage, long unpriced) {}

    @Query("""
            SELECT json_build_object('input', coalesce(sum(tokens_input), 0), 'output', coalesce(sum(tokens_output), 0),
                'reasoning', coalesce(sum(tokens_reasoning), 0), 'cacheRead', coalesce(sum(tokens_cache_read), 0),
                'cacheWrite', coalesce(sum(tokens_cache_write), 0), 'cost', trim_scale(coalesce(sum(cost), 0))) AS usage,
              count(*) FILTER (WHERE cost IS NULL AND tokens_input IS NOT NULL) AS unpriced
            FROM sessions.model_call_t WHERE host_id = :host AND project_id = :project AND completed_ts >= :since
            """)
    Sums modelCalls(UUID host, UUID project, Instant since);

    /** Turns by state: open ones, and those accepted since then. */
    @Query("""
            SELECT state AS name, count(*) AS number FROM sessions.agent_turn_t
            WHERE host_id = :host AND project_id = :project AND completed_ts IS NULL GROUP BY state
            UNION ALL
            SELECT state, count(*) FROM sessions.agent_turn_t
            WHERE host_id = :host AND project_id = :project AND completed_ts IS NOT NULL AND created_ts >= :since
            GROUP BY state
            """)
    List<Count> states(UUID host, UUID project, Instant since);

    /** Failed turns by error type. */
    @Query("""
            SELECT error_type AS name, count(*) AS number FROM sessions.agent_turn_t
            WHERE host_id = :host AND project_id = :project AND state = 'FAILED' AND created_ts >= :since GROUP BY error_type
            """)
    List<Count> failures(UUID host, UUID project, Instant since);

    @Query("""
            SELECT date_trunc('hour', created_ts) AS at, count(*) FILTER (WHERE state = 'COMPLETED') AS completed,
              count(*) FILTER (WHERE state = 'FAILED') AS failed, count(*) FILTER (WHERE state = 'CANCELLED') AS cancelled,
              count(*) FILTER (WHERE completed_ts IS NULL) AS open
            FROM sessions.agent_turn_t WHERE host_id = :host AND project_id = :project AND created_ts >= :since
            GROUP BY 1 ORDER BY 1
            """)
    List<Hour> hours(UUID host, UUID project, Instant since);

    @Query("""
            SELECT provider_id AS provider, model_id AS model, count(*) AS calls,
              count(*) FILTER (WHERE error_type IS NOT NULL) AS failed,
              coalesce(sum(tokens_input + tokens_output), 0) AS tokens, trim_scale(coalesce(sum(cost), 0)) AS cost
            FROM sessions.model_call_t WHERE host_id = :host AND project_id = :project AND completed_ts >= :since
            GROUP BY provider_id, model_id ORDER BY failed DESC, calls DESC LIMIT 20
            """)
    List<ModelUse> models(UUID host, UUID project, Instant since);

    /** Joins over turns, which have an index by time. */
    @Query("""
            SELECT tool_name AS tool, count(*) AS calls, count(*) FILTER (WHERE status = 'error') AS failed,
              count(*) FILTER (WHERE unknown) AS unknown, percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS p50_seconds,
              percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds) AS p95_seconds
            FROM (
              SELECT c.tool_name, c.status, c.unknown,
                CAST(extract(epoch FROM coalesce(c.completed_ts, now()) - c.created_ts) AS float8) AS seconds
              FROM sessions.agent_turn_t t
              JOIN sessions.tool_call_t c ON c.host_id = t.host_id AND c.turn_id = t.turn_id
              WHERE t.host_id = :host AND t.project_id = :project AND t.created_ts >= :since) AS used
            GROUP BY tool_name ORDER BY failed DESC, calls DESC LIMIT 20
            """)
    List<ToolFigures> tools(UUID host, UUID project, Instant since);

    /** Open turns, oldest first. */
    @Query("""
            SELECT t.turn_id AS turn, s.session_key AS session, t.state, t.created_ts AS created_at
            FROM sessions.agent_turn_t t
            JOIN sessions.agent_session_t s ON s.host_id = t.host_id AND s.session_id = t.session_id
            WHERE t.host_id = :host AND t.project_id = :project AND t.completed_ts IS NULL ORDER BY t.created_ts LIMIT 20
            """)
    List<OpenTurn> open(UUID host, UUID project);

    /** Counts pending approvals of ended turns. */
    @Query("""
            SELECT count(*) FROM sessions.tool_call_t c
            JOIN sessions.agent_turn_t t ON t.host_id = c.host_id AND t.turn_id = c.turn_id
            WHERE c.host_id = :host AND c.project_id = :project AND c.approval = 'asked' AND t.completed_ts IS NOT NULL
            """)
    long strayApprovals(UUID host, UUID project);
}
