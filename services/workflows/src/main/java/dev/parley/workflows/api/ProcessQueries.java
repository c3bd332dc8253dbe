package dev.parley.workflows.api;

import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Sql;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.Cursor;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Queries on the tables of processes and tasks. Hand-written SQL, because filters are optional. */
@Singleton
@Requires(property = "parley.role.workflows", value = "true")
final class ProcessQueries {
    private final Database database;

    ProcessQueries(Database database) {
        this.database = database;
    }

    /**
     * A row as JSON, with its position in a list.
     *
     * @param projectKey key of its project
     */
    record Found(UUID id, String projectKey, Instant startedAt, Json json) {
        private static Found of(ResultSet row, String id, String projectKey, SequencedMap<String, Json> json)
                throws SQLException {
            return new Found(
                    Columns.uuid(row, id), row.getString(projectKey), Columns.time(row, "started_ts"), Json.of(json));
        }

        private Found with(String name, Json value) {
            return new Found(id, projectKey, startedAt, json.with(name, value));
        }
    }

    // ---- processes

    /** A page of processes of a project, the newest first. */
    List<Found> processes(Tenant tenant, UUID project, ProcessFilter filter, @Nullable Cursor after, int limit) {
        var select = new Select(
                "SELECT * FROM workflows.process_info_t WHERE host_id = ?::uuid AND project_id = ?",
                tenant.host(),
                project);
        filter.restrict(select);
        if (after != null) {
            select.with("AND (started_ts, process_id) < (?, ?)", after.time(), after.id());
        }
        return all(tenant, select.with("ORDER BY started_ts DESC, process_id DESC LIMIT ?", limit), this::process);
    }

    /** A process of a host. */
    Optional<Found> process(Tenant tenant, UUID id) {
        var select = new Select(
                "SELECT * FROM workflows.process_info_t WHERE host_id = ?::uuid AND process_id = ?", tenant.host(), id);
        return first(tenant, select, this::process);
    }

    /** Processes that a user has started, the newest first. */
    List<Found> startedBy(Tenant tenant, String user, int limit) {
        var select = new Select("""
                SELECT * FROM workflows.process_info_t WHERE host_id = ?::uuid AND started_user = ?
                ORDER BY started_ts DESC LIMIT ?
                """, tenant.host(), user, limit);
        return all(tenant, select, this::process);
    }

    private Found process(ResultSet row) throws SQLException {
        var json = new LinkedHashMap<String, Json>();
        json.put("id", text(row, "process_id"));
        json.put("instanceId", text(row, "wf_instance_id"));
        json.put("project", text(row, "project_key"));
        json.put("workflow", text(row, "workflow"));
        json.put("definitionId", text(row, "wf_def_id"));
        json.put("status", text(row, "status_code"));
        json.put("phase", text(row, "phase"));
        json.put("input", value(row, "input_data"));
        json.put("context", value(row, "context_data"));
        json.put("output", value(row, "output_data"));
        json.put("error", value(row, "error_info"));
        json.put("business", value(row, "business"));
        json.put("startedAt", time(row, "started_ts"));
        json.put("startedBy", text(row, "started_user"));
        json.put("completedAt", time(row, "completed_ts"));
        json.put("deadline", time(row, "deadline_ts"));
        json.put("triggerAt", time(row, "ex_trigger_ts"));
        json.put("parentId", text(row, "parent_process_id"));
        json.put("originId", text(row, "origin_id"));
        json.put("next", text(row, "next"));
        return Found.of(row, "process_id", "project_key", json);
    }

    // ---- tasks

    /** Tasks of processes, and agents' tasks, which have no process. */
    private static final String TASKS = """
            SELECT t.*, coalesce(t.project_key, p.project_key) AS in_project
            FROM workflows.task_info_t t LEFT JOIN workflows.process_info_t p USING (host_id, process_id)
            WHERE t.host_id = ?::uuid
            """;

    /**
     * A page of the tasks of a process, in order of their start.
     *
     * @param after number of the last task of the page before
     */
    List<Json> tasks(Tenant tenant, UUID process, long after, int limit) {
        var select = new Select(TASKS, tenant.host())
                .with("AND t.process_id = ? AND t.task_order > ? ORDER BY t.task_order LIMIT ?", process, after, limit);
        return all(tenant, select, this::task).stream().map(Found::json).toList();
    }

    /**
     * A page of the tasks of a process, the last first.
     *
     * @param before number of the last task of the page before
     */
    List<Json> lastTasks(Tenant tenant, UUID process, long before, int limit) {
        var select = new Select(TASKS, tenant.host())
                .with(
                        "AND t.process_id = ? AND t.task_order < ? ORDER BY t.task_order DESC LIMIT ?",
                        process,
                        before,
                        limit);
        return all(tenant, select, this::task).stream().map(Found::json).toList();
    }

    /**
     * The input of the last run of a task of the outermost list: the output of the task before it, or the input of the
     * process.
     *
     * @return empty if no task of this name has begun
     */
    Optional<Json> lastInput(Tenant tenant, UUID process, String task) {
        String outermost = "FROM workflows.task_info_t t WHERE t.host_id = p.host_id AND t.process_id = p.process_id"
                + " AND t.path ~ '^/do/[0-9]+/[^/]+$' ";
        var select = new Select("""
                SELECT coalesce((SELECT t.task_output %s AND t.task_order < b.task_order AND t.phase = 'completed'
                    ORDER BY t.task_order DESC LIMIT 1), p.input_data) AS input
                FROM workflows.process_info_t p,
                  LATERAL (SELECT t.task_order %s AND t.wf_task_id = ? ORDER BY t.task_order DESC LIMIT 1) AS b
                WHERE p.host_id = ?::uuid AND p.process_id = ?
                """.formatted(outermost, outermost), task, tenant.host(), process);
        return first(tenant, select, row -> value(row, "input"));
    }

    /** A task of a host. */
    Optional<Found> task(Tenant tenant, UUID id) {
        var select = new Select(TASKS, tenant.host()).with("AND t.task_id = ?", id);
        return first(tenant, select, this::task)
                .map(found -> found.with("assignments", Json.of(assignments(tenant, id))));
    }

    /** Tasks of processes that a user has answered, the newest first. */
    List<Found> answeredBy(Tenant tenant, String user, int limit) {
        var select = new Select(TASKS, tenant.host())
                .with(
                        "AND t.completed_user = ? AND t.process_id IS NOT NULL ORDER BY t.started_ts DESC LIMIT ?",
                        user,
                        limit);
        return all(tenant, select, this::task);
    }

    private List<Json> assignments(Tenant tenant, UUID task) {
        var select = new Select("""
                SELECT * FROM workflows.task_asst_t WHERE host_id = ?::uuid AND task_id = ? ORDER BY assigned_ts, assignee_id
                """, tenant.host(), task);
        return all(tenant, select, row -> {
            var json = new LinkedHashMap<String, Json>();
            json.put("assignee", text(row, "assignee_id"));
            json.put("category", text(row, "category_code"));
            json.put("reason", text(row, "reason_code"));
            json.put("assignedAt", time(row, "assigned_ts"));
            json.put("unassignedAt", time(row, "unassigned_ts"));
            json.put("unassignedReason", text(row, "unassigned_reason"));
            return Json.of(json);
        });
    }

    /** Pending human tasks of a project: by priority, then the oldest first. */
    List<Found> open(Tenant tenant, UUID project, OpenTasks filter, @Nullable Cursor after, int limit) {
        var select = new Select(TASKS, tenant.host())
                .with("AND t.project_id = ? AND t.question IS NOT NULL AND t.completed_ts IS NULL", project)
                .with("""
                        AND (t.process_id IS NOT NULL
                          OR EXISTS (SELECT FROM workflows.task_asst_t a WHERE a.host_id = t.host_id AND a.task_id = t.task_id
                            AND a.unassigned_ts IS NULL AND a.assignee_id = ANY (string_to_array(?, E'\\n'))))
                        """, String.join("\n", filter.reader()));
        filter.restrictAssignments(select);
        select.withIf(filter.app(), "AND p.app_id = ?");
        if (after != null) {
            select.with(
                    "AND (-t.priority, t.started_ts, t.task_id) > (SELECT -l.priority, l.started_ts, l.task_id"
                            + " FROM workflows.task_info_t l WHERE l.host_id = t.host_id AND l.task_id = ?)",
                    after.id());
        }
        return all(tenant, select.with("ORDER BY -t.priority, t.started_ts, t.task_id LIMIT ?", limit), this::task);
    }

    private Found task(ResultSet row) throws SQLException {
        var json = new LinkedHashMap<String, Json>();
        json.put("id", text(row, "task_id"));
        json.put("processId", text(row, "process_id"));
        json.put("instanceId", text(row, "wf_instance_id"));
        json.put("name", text(row, "wf_task_id"));
        json.put("type", text(row, "task_type"));
        json.put("pointer", text(row, "pointer"));
        json.put("path", text(row, "path"));
        json.put("order", Json.of(row.getLong("task_order")));
        json.put("attempt", Json.of(row.getLong("attempt")));
        json.put("status", text(row, "status_code"));
        json.put("phase", text(row, "phase"));
        json.put("input", value(row, "task_input"));
        json.put("output", value(row, "task_output"));
        json.put("error", value(row, "error_info"));
        json.put("startedAt", time(row, "started_ts"));
        json.put("completedAt", time(row, "completed_ts"));
        if (row.getString("session_key") != null) {
            json.put("session", text(row, "session_key"));
            json.put("turnId", text(row, "turn_id"));
            json.put("callId", text(row, "call_id"));
        }
        if (row.getString("question") != null) {
            putQuestion(row, json);
        }
        return Found.of(row, "task_id", "in_project", json);
    }

    private static void putQuestion(ResultSet row, Map<String, Json> json) throws SQLException {
        json.put("question", value(row, "question"));
        json.put("priority", Json.of(row.getLong("priority")));
        json.put("claimedBy", text(row, "locking_user"));
        json.put("claimedUntil", time(row, "locked_until_ts"));
        json.put("lockGroup", text(row, "lock_group"));
        json.put("deadline", time(row, "deadline_ts"));
        json.put("completedBy", text(row, "completed_user"));
        json.put("result", text(row, "result_code"));
        json.put("comment", text(row, "user_comment"));
    }

    // ---- columns

    private <T> List<T> all(Tenant tenant, Select select, Sql.Reader<T> reader) {
        return database.in(tenant, (Transaction transaction) -> Columns.list(transaction, select, reader));
    }

    private <T> Optional<T> first(Tenant tenant, Select select, Sql.Reader<T> reader) {
        return database.in(tenant, (Transaction transaction) -> Columns.first(transaction, select, reader));
    }

    private static Json text(ResultSet row, String column) throws SQLException {
        return Json.textOf(row.getString(column));
    }

    private static Json time(ResultSet row, String column) throws SQLException {
        return Json.textOf(Columns.timeOrNull(row, column));
    }

    private static Json value(ResultSet row, String column) throws SQLException {
        String text = row.getString(column);
        return text == null ? Values.NULL : JsonText.read(text);
    }

    /**
     * Filter of open tasks.
     *
     * @param reader ids of the reader as an assignee: agents' questions are visible to their assignees only
     * @param assignees selects their tasks and unassigned ones; empty for all
     * @param category null for all
     * @param app app of their processes; null for all
     * @param assignedBefore null for any time
     */
    record OpenTasks(
            List<String> reader,
            List<String> assignees,
            @Nullable String category,
            @Nullable String app,
            @Nullable Instant assignedBefore) {
        static OpenTasks of(List<String> reader, List<String> assignees) {
            return new OpenTasks(reader, assignees, null, null, null);
        }

        private void restrictAssignments(Select select) {
            if (!assignees.isEmpty()) {
                select.with(
                        """
                        AND (EXISTS (SELECT FROM workflows.task_asst_t a WHERE a.host_id = t.host_id AND a.task_id = t.task_id
                            AND a.unassigned_ts IS NULL AND a.assignee_id = ANY (string_to_array(?, E'\\n'))
                            AND (?::text IS NULL OR a.category_code = ?)
                            AND (?::timestamptz IS NULL OR a.assigned_ts < ?))
                          OR ?::text IS NULL AND NOT EXISTS (SELECT FROM workflows.task_asst_t a WHERE a.host_id = t.host_id
                            AND a.task_id = t.task_id AND a.unassigned_ts IS NULL))
                        """,
                        String.join("\n", assignees),
                        category,
                        category,
                        assignedBefore,
                        assignedBefore,
                        category);
            }
        }
    }

    /** Filter of processes. */
    record ProcessFilter(
            @Nullable String status,
            @Nullable String phase,
            @Nullable String definition,
            @Nullable UUID parentId,
            @Nullable String instanceId,
            boolean overdue,
            @Nullable Instant from,
            @Nullable Instant to,
            Map<String, Object> business,
            Map<String, Instant> eventTimes) {
        private void restrict(Select select) {
            select.withIf(status, "AND status_code = ?")
                    .withIf(phase, "AND phase = ?")
                    .withIf(parentId, "AND parent_process_id = ?")
                    .withIf(instanceId, "AND wf_instance_id = ?")
                    .withIf(from, "AND started_ts >= ?")
                    .withIf(to, "AND started_ts < ?");
            if (definition != null) {
                select.with(
                        "AND (workflow = ? OR starts_with(workflow, ? || ':') OR wf_def_id::text = ?)",
                        definition,
                        definition,
                        definition);
            }
            if (overdue) {
                select.with("AND completed_ts IS NULL AND deadline_ts < now()");
            }
            business.forEach((column, value) -> select.with("AND " + column + " = ?", value));
            eventTimes.forEach((condition, time) -> select.with("AND " + condition + " ?", time));
        }
    }
}
