package dev.parley.sessions.api;

import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Select;
import dev.parley.platform.http.Caller;
import dev.parley.platform.http.TurnJson.UsageJson;
import dev.parley.sessions.api.OverviewJson.Hour;
import dev.parley.sessions.api.OverviewJson.Lag;
import dev.parley.sessions.api.OverviewJson.ModelUse;
import dev.parley.sessions.api.OverviewJson.OpenTurn;
import dev.parley.sessions.api.OverviewJson.ToolFigures;
import dev.parley.sessions.projection.Projector;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Aggregates the overview of a project: turns, failures, model and tool use of the last 24 hours. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class Overviews {
    private static final Duration PERIOD = Duration.ofHours(24);
    private static final int MAX_ROWS = 20;

    private final Views views;
    private final Projector projector;

    Overviews(Views views, Projector projector) {
        this.views = views;
        this.projector = projector;
    }

    /** The last 24 hours of the project, all figures from one snapshot. */
    OverviewJson of(Caller caller, Project project) {
        Instant since = Instant.now().minus(PERIOD);
        var lag = new Lag(
                projector.lagRecords(),
                projector.lagSeconds(),
                projector.problem().orElse(null));
        return views.read(
                caller.tenant(project.projectKey()),
                reading -> new Queries(reading, caller.host(), project.project(), since).overview(lag));
    }

    /** The queries of one overview, which share a transaction. */
    private record Queries(Views.Reading reading, UUID host, UUID project, Instant since) {
        private record ModelUsage(UsageJson usage, long unpriced) {}

        OverviewJson overview(Lag lag) {
            ModelUsage used = usage();
            return new OverviewJson(
                    since,
                    states(),
                    failures(),
                    used.usage(),
                    used.unpriced(),
                    lag,
                    hours(),
                    models(),
                    tools(),
                    openTurns(),
                    strayApprovals());
        }

        private ModelUsage usage() {
            var select = new Select("""
                    SELECT coalesce(sum(tokens_input), 0) AS tokens_input, coalesce(sum(tokens_output), 0) AS tokens_output,
                           coalesce(sum(tokens_reasoning), 0) AS tokens_reasoning,
                           coalesce(sum(tokens_cache_read), 0) AS tokens_cache_read,
                           coalesce(sum(tokens_cache_write), 0) AS tokens_cache_write, coalesce(sum(cost), 0) AS cost,
                           count(*) FILTER (WHERE cost IS NULL AND tokens_input IS NOT NULL) AS unpriced
                    FROM sessions.model_call_t WHERE host_id = ? AND project_id = ? AND completed_ts >= ?
                    """, host, project, since);
            return reading.first(
                            select, row -> new ModelUsage(TurnRowJson.usage(row, "", "cost"), row.getLong("unpriced")))
                    .orElseThrow();
        }

        private Map<String, Long> states() {
            return counts(new Select("""
                    SELECT state, count(*) AS n FROM sessions.agent_turn_t
                    WHERE host_id = ? AND project_id = ? AND completed_ts IS NULL GROUP BY state
                    UNION ALL
                    SELECT state, count(*) FROM sessions.agent_turn_t
                    WHERE host_id = ? AND project_id = ? AND completed_ts IS NOT NULL AND created_ts >= ? GROUP BY state
                    """, host, project, host, project, since));
        }

        private Map<String, Long> failures() {
            return counts(new Select("""
                    SELECT error_type, count(*) FROM sessions.agent_turn_t
                    WHERE host_id = ? AND project_id = ? AND state = 'FAILED' AND created_ts >= ? GROUP BY error_type
                    """, host, project, since));
        }

        private Map<String, Long> counts(Select select) {
            var counts = new TreeMap<String, Long>();
            reading.list(select, row -> counts.put(row.getString(1), row.getLong(2)));
            return counts;
        }

        private List<Hour> hours() {
            var select = new Select("""
                    SELECT date_trunc('hour', created_ts) AS at, count(*) FILTER (WHERE state = 'COMPLETED') AS completed,
                           count(*) FILTER (WHERE state = 'FAILED') AS failed,
                           count(*) FILTER (WHERE state = 'CANCELLED') AS cancelled,
                           count(*) FILTER (WHERE completed_ts IS NULL) AS open
                    FROM sessions.agent_turn_t WHERE host_id = ? AND project_id = ? AND created_ts >= ? GROUP BY 1 ORDER BY 1
                    """, host, project, since);
            return reading.list(
                    select,
                    row -> new Hour(
                            Columns.time(row, "at"),
                            row.getLong("completed"),
                            row.getLong("failed"),
                            row.getLong("cancelled"),
                            row.getLong("open")));
        }

        private List<ModelUse> models() {
            var select = new Select("""
                    SELECT provider_id, model_id, count(*) AS calls, count(*) FILTER (WHERE error_type IS NOT NULL) AS failed,
                           coalesce(sum(tokens_input + tokens_output), 0) AS tokens, coalesce(sum(cost), 0) AS cost
                    FROM sessions.model_call_t WHERE host_id = ? AND project_id = ? AND completed_ts >= ?
                    GROUP BY provider_id, model_id ORDER BY failed DESC, calls DESC LIMIT ?
                    """, host, project, since, MAX_ROWS);
            return reading.list(
                    select,
                    row -> new ModelUse(
                            row.getString("provider_id"),
                            row.getString("model_id"),
                            row.getLong("calls"),
                            row.getLong("failed"),
                            row.getLong("tokens"),
                            row.getBigDecimal("cost").stripTrailingZeros()));
        }

        /** Joins over turns, which have an index by time. */
        private List<ToolFigures> tools() {
            var select = new Select("""
                    SELECT c.tool_name, count(*) AS calls, count(*) FILTER (WHERE c.status = 'error') AS failed,
                           count(*) FILTER (WHERE c.unknown) AS unknown,
                           percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP
                             (ORDER BY extract(epoch FROM coalesce(c.completed_ts, now()) - c.created_ts)::float8) AS seconds
                    FROM sessions.agent_turn_t t
                    JOIN sessions.tool_call_t c ON c.host_id = t.host_id AND c.turn_id = t.turn_id
                    WHERE t.host_id = ? AND t.project_id = ? AND t.created_ts >= ?
                    GROUP BY c.tool_name ORDER BY failed DESC, calls DESC LIMIT ?
                    """, host, project, since, MAX_ROWS);
            return reading.list(select, row -> {
                var seconds = (Double[]) row.getArray("seconds").getArray();
                return new ToolFigures(
                        row.getString("tool_name"),
                        row.getLong("calls"),
                        row.getLong("failed"),
                        row.getLong("unknown"),
                        seconds[0],
                        seconds[1]);
            });
        }

        private List<OpenTurn> openTurns() {
            var select = new Select("""
                    SELECT t.turn_id, s.session_key, t.state, t.created_ts FROM sessions.agent_turn_t t
                    JOIN sessions.agent_session_t s ON s.host_id = t.host_id AND s.session_id = t.session_id
                    WHERE t.host_id = ? AND t.project_id = ? AND t.completed_ts IS NULL ORDER BY t.created_ts LIMIT ?
                    """, host, project, MAX_ROWS);
            return reading.list(
                    select,
                    row -> new OpenTurn(
                            Columns.uuid(row, "turn_id"),
                            row.getString("session_key"),
                            row.getString("state"),
                            Columns.time(row, "created_ts")));
        }

        private long strayApprovals() {
            var select = new Select("""
                    SELECT count(*) FROM sessions.tool_call_t c
                    JOIN sessions.agent_turn_t t ON t.host_id = c.host_id AND t.turn_id = c.turn_id
                    WHERE c.host_id = ? AND c.project_id = ? AND c.approval = 'asked' AND t.completed_ts IS NOT NULL
                    """, host, project);
            return reading.first(select, row -> row.getLong(1)).orElse(0L);
        }
    }
}
