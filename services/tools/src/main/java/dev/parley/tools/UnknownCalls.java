package dev.parley.tools;

import dev.parley.domain.protocol.CallOutcome;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Sql.Reader;
import dev.parley.platform.database.Tenant;
import dev.parley.tools.UnknownCall.Decision;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
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
    List<UnknownCall> list(UUID host, UUID project, @Nullable Instant before, @Nullable UUID id, int most) {
        var sql = new Sql(database).as(of(host, project));
        return before == null
                ? sql.query(FIRST, UnknownCalls::all, host, project, most)
                : sql.query(NEXT, UnknownCalls::all, host, project, before, id, most);
    }

    /** A call of a project, decided or not. */
    Optional<UnknownCall> find(UUID host, UUID project, UUID call) {
        return new Sql(database).as(of(host, project)).query(FIND, UnknownCalls::first, host, project, call);
    }

    /** Records the outcome of a call, once. Empty if there is no such call, or it is decided already. */
    Optional<UnknownCall> decide(
            UUID host, UUID project, UUID call, CallOutcome outcome, String user, @Nullable String note) {
        String word = outcome.code();
        return new Sql(database)
                .as(of(host, project).user(user))
                .query(DECIDE, UnknownCalls::first, word, user, note, user, host, project, call);
    }

    /** The number of undecided calls of all hosts. */
    long count() {
        Reader<Long> one = row -> {
            row.next();
            return row.getLong(1);
        };
        return new Sql(database).as(Tenant.ALL).query(COUNT, one);
    }

    /** Registers the gauge {@code parley.tool.calls.unknown}. @return updates it */
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

    private static Optional<UnknownCall> first(ResultSet row) throws SQLException {
        return all(row).stream().findFirst();
    }

    private static List<UnknownCall> all(ResultSet row) throws SQLException {
        var calls = new ArrayList<UnknownCall>();
        while (row.next()) {
            calls.add(call(row));
        }
        return calls;
    }

    private static UnknownCall call(ResultSet row) throws SQLException {
        return new UnknownCall(
                row.getObject("call_id", UUID.class),
                row.getObject("session_id", UUID.class),
                row.getString("session_key"),
                row.getObject("turn_id", UUID.class),
                row.getString("agent"),
                row.getString("tool"),
                row.getString("effect"),
                time(row, "started_ts"),
                time(row, "finished_ts"),
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
                        time(row, "decided_ts"),
                        row.getString("decided_note"));
    }

    private static Instant time(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
