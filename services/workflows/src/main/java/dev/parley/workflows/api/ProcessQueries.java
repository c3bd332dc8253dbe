package dev.parley.workflows.api;

import dev.parley.domain.workflow.Phase;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.Cursor;
import dev.parley.workflows.api.ProcessRows.ProcessRow;
import dev.parley.workflows.api.TaskRows.TaskRow;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import io.micronaut.data.jdbc.runtime.JdbcOperations;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Queries of processes and tasks. The page of processes is hand-written SQL: any of 32 business keys can filter it. */
@Singleton
final class ProcessQueries {
    private final Database database;
    private final ProcessRows processes;
    private final TaskRows tasks;
    private final JdbcOperations operations;

    ProcessQueries(Database database, ProcessRows processes, TaskRows tasks, JdbcOperations operations) {
        this.database = database;
        this.processes = processes;
        this.tasks = tasks;
        this.operations = operations;
    }

    /** A page of processes of a project, the newest first. */
    List<Found> processes(Tenant tenant, UUID project, ProcessFilter filter, @Nullable Cursor after, int limit) {
        var select = new Select(
                "SELECT " + ProcessRows.COLUMNS
                        + "FROM workflows.process_info_t WHERE host_id = ?::uuid AND project_id = ?",
                tenant.host(),
                project);
        filter.restrict(select);
        if (after != null) {
            select.with("AND (started_ts, process_id) < (?, ?)", after.time(), after.id());
        }
        select.with("ORDER BY started_ts DESC, process_id DESC LIMIT ?", limit);
        List<ProcessRow> rows = database.in(
                tenant,
                (Transaction transaction) -> transaction.query(
                        select.sql(),
                        page -> operations.entityStream(page, ProcessRow.class).toList(),
                        select.values().toArray()));
        return rows.stream().map(ProcessRow::found).toList();
    }

    /** A process of a host. */
    Optional<Found> process(Tenant tenant, UUID id) {
        return read(tenant, () -> processes.find(tenant.host(), id)).map(ProcessRow::found);
    }

    /** Processes that a user has started, the newest first. */
    List<Found> startedBy(Tenant tenant, String user, int limit) {
        return list(tenant, () -> processes.startedBy(tenant.host(), user, limit), ProcessRow::found);
    }

    /**
     * A page of the tasks of a process, in order of their start.
     *
     * @param after number of the last task of the page before
     */
    List<Json> tasks(Tenant tenant, UUID process, long after, int limit) {
        return list(tenant, () -> tasks.first(tenant.host(), process, after, limit), TaskRow::json);
    }

    /**
     * A page of the tasks of a process, the last first.
     *
     * @param before number of the last task of the page before
     */
    List<Json> lastTasks(Tenant tenant, UUID process, long before, int limit) {
        return list(tenant, () -> tasks.last(tenant.host(), process, before, limit), TaskRow::json);
    }

    /**
     * The input of the last run of a task of the outermost list: the output of the task before it, or the input of the
     * process.
     *
     * @return empty if no task of this name has begun
     */
    Optional<Json> lastInput(Tenant tenant, UUID process, String task) {
        return read(tenant, () -> tasks.lastInput(tenant.host(), process, task)).map(JsonText::read);
    }

    /** A task of a host, with its assignments. */
    Optional<Found> task(Tenant tenant, UUID id) {
        return read(
                tenant,
                () -> tasks.find(tenant.host(), id).map(row -> {
                    List<Json> assignments = tasks.assignments(tenant.host(), id).stream()
                            .map(RowJson::of)
                            .toList();
                    Json json = row.json().with("assignments", Json.of(assignments));
                    return new Found(row.id(), row.inProject(), row.startedAt(), json);
                }));
    }

    /** Tasks of processes that a user has answered, the newest first. */
    List<Found> answeredBy(Tenant tenant, String user, int limit) {
        return list(tenant, () -> tasks.answeredBy(tenant.host(), user, limit), TaskRow::found);
    }

    /** Pending human tasks of a project: by priority, then the oldest first. */
    List<Found> open(Tenant tenant, UUID project, OpenTasks filter, @Nullable Cursor after, int limit) {
        Supplier<List<TaskRow>> rows = () -> tasks.open(
                tenant.host(),
                project,
                String.join("\n", filter.reader()),
                filter.assignees().isEmpty() ? null : String.join("\n", filter.assignees()),
                filter.category(),
                filter.assignedBefore(),
                filter.app(),
                Cursor.idOf(after),
                limit);
        return list(tenant, rows, TaskRow::found);
    }

    private <R, T> List<T> list(Tenant tenant, Supplier<List<R>> rows, Function<R, T> shape) {
        return database.listingIn(tenant, rows).stream().map(shape).toList();
    }

    private <T> T read(Tenant tenant, Supplier<T> rows) {
        return database.readingIn(tenant, rows);
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
    }

    /** Filter of processes. */
    record ProcessFilter(
            @Nullable Phase status,
            @Nullable Phase phase,
            @Nullable String definition,
            @Nullable UUID parentId,
            @Nullable String instanceId,
            boolean overdue,
            @Nullable Instant from,
            @Nullable Instant to,
            Map<String, Object> business,
            Map<String, Instant> eventTimes) {
        private static @Nullable String code(@Nullable Phase phase) {
            return phase == null ? null : Character.toString(phase.letter());
        }

        private void restrict(Select select) {
            select.withIf(code(status), "AND status_code = ?")
                    .withIf(code(phase), "AND status_code = ?")
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
