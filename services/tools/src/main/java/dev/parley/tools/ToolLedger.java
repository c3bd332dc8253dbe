package dev.parley.tools;

import dev.parley.domain.RecordKey;
import dev.parley.domain.content.Block;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.protocol.ToolRequest;
import dev.parley.domain.protocol.ToolStatus;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Tenant;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/**
 * The ledger of tool calls that must not run twice. A row is written before the effect of a tool, so that the next
 * worker of the call knows whether it is done, running, or was abandoned.
 *
 * <p>Rows are claimed with a lock, and leases expire by the database's clock: two workers never run the same call.
 *
 * @param worker a unique name that is never reused
 * @param lease time that a worker holds a call without a heartbeat
 */
record ToolLedger(Database database, String worker, Duration lease) {
    private static final int QUERY_TIMEOUT_SECONDS = 5;
    private static final ObjectMapper JSON = JsonMapper.shared();
    private static final int PURGE_BATCH = 10_000;

    private static final String INSERT = """
            INSERT INTO tools.tool_execution_t
              (host_id, project_id, call_id, session_id, session_key, turn_id, agent, tool, effect, attempt, state, worker)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'started', ?)
            ON CONFLICT (host_id, call_id) DO NOTHING""";
    private static final String LOCK = """
            SELECT state, status, result, files,
                   greatest(0, ? - (extract(epoch FROM clock_timestamp() - heartbeat_ts) * 1000)::bigint) AS held_ms
              FROM tools.tool_execution_t WHERE host_id = ? AND call_id = ? FOR UPDATE""";
    private static final String TAKE_OVER = """
            UPDATE tools.tool_execution_t
               SET state = 'started', worker = ?, attempt = ?, heartbeat_ts = clock_timestamp(),
                   aggregate_version = aggregate_version + 1, update_ts = clock_timestamp()
             WHERE host_id = ? AND call_id = ?""";
    private static final String END = """
            UPDATE tools.tool_execution_t
               SET state = ?, status = ?, result = ?, files = ?::jsonb, finished_ts = clock_timestamp(),
                   aggregate_version = aggregate_version + 1, update_ts = clock_timestamp()
             WHERE host_id = ? AND call_id = ? AND worker = ? AND state IN ('started', 'unknown')""";
    private static final String RELEASE = """
            UPDATE tools.tool_execution_t
               SET state = 'requested', aggregate_version = aggregate_version + 1, update_ts = clock_timestamp()
             WHERE host_id = ? AND call_id = ? AND worker = ? AND state = 'started'""";
    private static final String RENEW_LEASE = """
            UPDATE tools.tool_execution_t SET heartbeat_ts = clock_timestamp()
             WHERE host_id = ? AND call_id = ? AND worker = ? AND state = 'started'""";
    private static final String PURGE = """
            DELETE FROM tools.tool_execution_t WHERE (host_id, call_id) IN (
              SELECT host_id, call_id FROM tools.tool_execution_t
               WHERE state = 'done' AND coalesce(decided_ts, finished_ts) < clock_timestamp() - ? * interval '1 second' LIMIT %d)""".formatted(PURGE_BATCH);
    /** Erases the output of calls that were running when their session was erased. */
    private static final String ERASE_LATE = """
            UPDATE tools.tool_execution_t t SET result = left(result, 0), files = NULL, session_key = '', decided_note = NULL
              FROM tools.erased_session_t e
             WHERE e.host_id = t.host_id AND e.session_id = t.session_id
               AND (t.result <> '' OR t.files IS NOT NULL OR t.session_key <> '' OR t.decided_note IS NOT NULL)""";

    private static final String PURGE_ERASED = """
            DELETE FROM tools.tool_execution_t t USING tools.erased_session_t e
             WHERE e.host_id = t.host_id AND e.session_id = t.session_id
               AND e.erased_ts < clock_timestamp() - ? * interval '1 second'""";
    private static final String DELETE_ERASED_MARKS =
            "DELETE FROM tools.erased_session_t WHERE erased_ts < clock_timestamp() - ? * interval '1 second'";

    /** The action that a worker takes on a call. */
    sealed interface Entry {
        /** Run the call: this worker holds it. */
        record Run() implements Entry {}

        /** Reconcile the call first: this worker holds it, but a crashed one had started it. */
        record TakenOver() implements Entry {}

        /** Return the recorded result. */
        record Recorded(ToolStatus status, String result, List<Block.File> files) implements Entry {}

        /** Wait: another worker holds the call, at least for the remaining lease. */
        record Held(Duration remaining) implements Entry {}
    }

    /** Claims the row of a call in a session, or returns its state. */
    Entry begin(ToolRequest request, RecordKey session, ToolEffect effect) throws SQLException {
        try (Connection connection = database.begin(of(request).project(session.projectId()))) {
            Entry entry =
                    insert(connection, request, session, effect) ? new Entry.Run() : existing(connection, request);
            connection.commit();
            return entry;
        }
    }

    private boolean insert(Connection connection, ToolRequest request, RecordKey session, ToolEffect effect)
            throws SQLException {
        return update(
                        connection,
                        INSERT,
                        request.host(),
                        session.projectId(),
                        request.callId(),
                        request.sessionId(),
                        session.session(),
                        request.turnId(),
                        request.agent(),
                        request.name(),
                        effect.name(),
                        request.attempt(),
                        worker)
                == 1;
    }

    private Entry existing(Connection connection, ToolRequest request) throws SQLException {
        try (PreparedStatement statement =
                        prepare(connection, LOCK, lease.toMillis(), request.host(), request.callId());
                ResultSet row = statement.executeQuery()) {
            row.next();
            long heldMillis = row.getLong("held_ms");
            String state = row.getString("state");
            if (state.equals("done") || state.equals("unknown")) {
                return new Entry.Recorded(
                        ToolStatus.valueOf(row.getString("status")),
                        row.getString("result"),
                        files(row.getString("files")));
            }
            if (state.equals("started") && heldMillis > 0) {
                return new Entry.Held(Duration.ofMillis(heldMillis));
            }
            update(connection, TAKE_OVER, worker, request.attempt(), request.host(), request.callId());
            return state.equals("requested") ? new Entry.Run() : new Entry.TakenOver();
        }
    }

    /** Records the result; returns false if another worker has taken over the row. */
    boolean end(ToolRequest request, ToolStatus status, String result, List<Block.File> files) throws SQLException {
        String state = status == ToolStatus.UNKNOWN ? "unknown" : "done";
        return update(
                        of(request),
                        END,
                        state,
                        status.name(),
                        result,
                        json(files),
                        request.host(),
                        request.callId(),
                        worker)
                == 1;
    }

    private static @Nullable String json(List<Block.File> files) {
        if (files.isEmpty()) {
            return null;
        }
        ArrayNode array = JSON.createArrayNode();
        for (Block.File file : files) {
            array.addObject()
                    .put("name", file.name())
                    .put("mimeType", file.mimeType())
                    .put("size", file.size())
                    .put("sha256", file.sha256());
        }
        return array.toString();
    }

    private static List<Block.File> files(@Nullable String json) {
        var files = new ArrayList<Block.File>();
        if (json != null) {
            for (JsonNode file : JSON.readTree(json)) {
                files.add(new Block.File(
                        file.get("name").asString(),
                        file.get("mimeType").asString(),
                        file.get("size").asLong(),
                        file.get("sha256").asString(),
                        null,
                        null));
            }
        }
        return files;
    }

    /** Releases a call that did not run, for the next worker. */
    void release(ToolRequest request) throws SQLException {
        update(of(request), RELEASE, request.host(), request.callId(), worker);
    }

    /** Renews the lease of a call. */
    void renewLease(ToolRequest request) throws SQLException {
        update(of(request), RENEW_LEASE, request.host(), request.callId(), worker);
    }

    /**
     * Removes calls that ended or were decided before this age, up to {@value #PURGE_BATCH} at a time, and all calls of
     * sessions erased before it; of sessions erased since, the data of late calls. Other calls of unknown outcome are
     * kept until a user decides them.
     */
    int purge(Duration age) throws SQLException {
        update(Tenant.ALL, ERASE_LATE);
        int purged = update(Tenant.ALL, PURGE, age.toSeconds()) + update(Tenant.ALL, PURGE_ERASED, age.toSeconds());
        update(Tenant.ALL, DELETE_ERASED_MARKS, age.toSeconds());
        return purged;
    }

    private static Tenant of(ToolRequest request) {
        return Tenant.of(request.host());
    }

    private int update(Tenant tenant, String sql, @Nullable Object... values) throws SQLException {
        try (Connection connection = database.begin(tenant)) {
            int changed = update(connection, sql, values);
            connection.commit();
            return changed;
        }
    }

    private static int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, values)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, @Nullable Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(QUERY_TIMEOUT_SECONDS);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
