package dev.parley.tools;

import dev.parley.domain.protocol.CallOutcome;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.tools.UnknownCall.Decision;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of unknown outcome in the ledger, for users to decide. */
record UnknownCalls(Database database) {
    private static final Logger LOG = LoggerFactory.getLogger(UnknownCalls.class);
    private static final String COLUMNS =
            " call_id, session_id, session_key, turn_id, agent, tool, effect, started_ts, finished_ts,"
                    + " left(result, 4000) AS result, decided_outcome, decided_user, decided_ts, decided_note ";
    private static final String FIRST = "SELECT" + COLUMNS + """
              FROM tools.tool_execution_t WHERE host_id = ? AND project_id = ? AND state = 'unknown'
             ORDER BY finished_ts DESC, call_id DESC LIMIT ?""";
    private static final String NEXT = "SELECT" + COLUMNS + """
              FROM tools.tool_execution_t WHERE host_id = ? AND project_id = ? AND state = 'unknown'
               AND (finished_ts, call_id) < (?, ?)
             ORDER BY finished_ts DESC, call_id DESC LIMIT ?""";
    private static final String FIND = "SELECT" + COLUMNS + """
              FROM tools.tool_execution_t WHERE host_id = ? AND project_id = ? AND call_id = ? AND status = 'UNKNOWN'""";
    private static final String DECIDE = """
            UPDATE tools.tool_execution_t
               SET state = 'done', decided_outcome = ?, decided_user = ?, decided_ts = clock_timestamp(), decided_note = ?,
                   aggregate_version = aggregate_version + 1, update_ts = clock_timestamp(), update_user = ?
             WHERE host_id = ? AND project_id = ? AND call_id = ? AND state = 'unknown'
            RETURNING""" + COLUMNS;
    private static final String COUNT = "SELECT count(*) FROM tools.tool_execution_t WHERE state = 'unknown'";

    /**
     * The undecided calls of a project, newest first.
     *
     * @param before the end of the last call of the previous page, or null for the first page
     * @param id the id of that call
     */
    List<UnknownCall> list(UUID host, UUID project, @Nullable Instant before, @Nullable UUID id, int max) {
        var sql = new Sql(database).as(of(host, project));
        return before == null
                ? sql.query(FIRST, Columns.list(UnknownCalls::call), host, project, max)
                : sql.query(NEXT, Columns.list(UnknownCalls::call), host, project, before, id, max);
    }

    /** A call of a project, decided or not. */
    Optional<UnknownCall> find(UUID host, UUID project, UUID call) {
        return new Sql(database)
                .as(of(host, project))
                .query(FIND, Columns.first(UnknownCalls::call), host, project, call);
    }

    /** Records the outcome of a call, once. Empty if the call does not exist or is already decided. */
    Optional<UnknownCall> decide(
            UUID host, UUID project, UUID call, CallOutcome outcome, String user, @Nullable String note) {
        String code = outcome.code();
        return new Sql(database)
                .as(of(host, project).user(user))
                .query(DECIDE, Columns.first(UnknownCalls::call), code, user, note, user, host, project, call);
    }

    /** The number of undecided calls of all hosts. */
    long count() {
        return new Sql(database)
                .as(Tenant.ALL)
                .query(COUNT, Columns.first(row -> row.getLong(1)))
                .orElse(0L);
    }

    /** Registers the gauge {@code parley.tool.calls.unknown}; returns a task that updates it. */
    Runnable gauge(MeterRegistry meters) {
        var waiting = new AtomicLong();
        meters.gauge("parley.tool.calls.unknown", waiting);
        return () -> {
            try {
                waiting.set(count());
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("unknown tool calls could not be counted");
            }
        };
    }

    private static Tenant of(UUID host, UUID project) {
        return Tenant.of(host).project(project);
    }

    private static UnknownCall call(ResultSet row) throws SQLException {
        return new UnknownCall(
                Columns.uuid(row, "call_id"),
                Columns.uuid(row, "session_id"),
                row.getString("session_key"),
                Columns.uuid(row, "turn_id"),
                row.getString("agent"),
                row.getString("tool"),
                row.getString("effect"),
                Columns.time(row, "started_ts"),
                Columns.time(row, "finished_ts"),
                row.getString("result"),
                decision(row));
    }

    private static @Nullable Decision decision(ResultSet row) throws SQLException {
        String outcome = row.getString("decided_outcome");
        return outcome == null
                ? null
                : new Decision(
                        CallOutcome.valueOf(outcome.toUpperCase(Locale.ROOT)),
                        row.getString("decided_user"),
                        Columns.time(row, "decided_ts"),
                        row.getString("decided_note"));
    }
}
