package dev.parley.sessions.api;

import dev.parley.sessions.api.OverviewJson.OpenTurn;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of the figures of an overview; lists have at most 20 rows. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface OverviewRows extends GenericRepository<OpenTurn, UUID> {
    /** A number of turns. */
    @Introspected
    record Count(String name, long number) {}

    /** Turns of a minute with the same state. */
    @Introspected
    record TurnCount(Instant minute, String state, @Nullable String errorType, boolean open, long number) {}

    /** Calls of a model in a minute. */
    @Introspected
    record CallCount(
            Instant minute,
            @Nullable String provider,
            @Nullable String model,
            long calls,
            long failed,
            long unpriced,
            long input,
            long output,
            long reasoning,
            long cacheRead,
            long cacheWrite,
            BigDecimal cost) {}

    /** Calls of a tool in a minute whose durations are in the same class. */
    @Introspected
    record ToolCount(Instant minute, String tool, int durationClass, long calls, long failed, long unknown) {}

    /** Open turns by state. */
    @Query("""
        SELECT state AS name, count(*) AS number FROM sessions.agent_turn_t
        WHERE host_id = :host AND project_id = :project AND completed_ts IS NULL GROUP BY state
        """)
    List<Count> openStates(UUID host, UUID project);

    /** Turns by the minute in which they were accepted. */
    @Query("""
        SELECT date_trunc('minute', created_ts) AS minute, state, error_type, completed_ts IS NULL AS open,
          count(*) AS number
        FROM sessions.agent_turn_t
        WHERE host_id = :host AND project_id = :project AND created_ts >= :since AND created_ts < :end
        GROUP BY 1, 2, 3, 4
        """)
    List<TurnCount> turns(UUID host, UUID project, Instant since, Instant end);

    /** Calls of models by the minute in which they ended. */
    @Query("""
        SELECT date_trunc('minute', completed_ts) AS minute, provider_id AS provider, model_id AS model,
          count(*) AS calls, count(*) FILTER (WHERE error_type IS NOT NULL) AS failed,
          count(*) FILTER (WHERE cost IS NULL AND tokens_input IS NOT NULL) AS unpriced,
          coalesce(sum(tokens_input), 0) AS input, coalesce(sum(tokens_output), 0) AS output,
          coalesce(sum(tokens_reasoning), 0) AS reasoning, coalesce(sum(tokens_cache_read), 0) AS cache_read,
          coalesce(sum(tokens_cache_write), 0) AS cache_write, coalesce(sum(cost), 0) AS cost
        FROM sessions.model_call_t
        WHERE host_id = :host AND project_id = :project AND completed_ts >= :since AND completed_ts < :end
        GROUP BY 1, 2, 3
        """)
    List<CallCount> calls(UUID host, UUID project, Instant since, Instant end);

    /** Calls of tools by the minute in which their turn was accepted: turns have an index by time. */
    @Query("""
        SELECT minute, tool_name AS tool,
          CAST(floor(ln(greatest(seconds, 0.001)) / ln(1.05)) AS int4) AS duration_class, count(*) AS calls,
          count(*) FILTER (WHERE status = 'error') AS failed, count(*) FILTER (WHERE unknown) AS unknown
        FROM (
          SELECT date_trunc('minute', t.created_ts) AS minute, c.tool_name, c.status, c.unknown,
            CAST(extract(epoch FROM coalesce(c.completed_ts, now()) - c.created_ts) AS float8) AS seconds
          FROM sessions.agent_turn_t t
          JOIN sessions.tool_call_t c ON c.host_id = t.host_id AND c.turn_id = t.turn_id
          WHERE t.host_id = :host AND t.project_id = :project AND t.created_ts >= :since AND t.created_ts < :end
        ) AS used
        GROUP BY 1, 2, 3
        """)
    List<ToolCount> tools(UUID host, UUID project, Instant since, Instant end);

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
