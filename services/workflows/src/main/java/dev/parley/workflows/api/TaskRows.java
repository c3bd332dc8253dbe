package dev.parley.workflows.api;

import dev.parley.workflows.api.TaskRows.TaskRow;
import dev.parley.workflows.json.Json;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code workflows.task_info_t}: tasks of processes, and agents' tasks, which have no process. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface TaskRows extends GenericRepository<TaskRow, UUID> {
    String SELECT = """
        SELECT t.task_id, t.process_id, t.wf_instance_id, t.wf_task_id, t.task_type, t.pointer, t.path, t.task_order,
          t.attempt, t.status_code, t.phase, t.task_input, t.task_output, t.error_info, t.started_ts, t.completed_ts,
          t.session_key, t.turn_id, t.call_id, t.question, t.priority, t.locking_user, t.locked_until_ts, t.lock_group,
          t.deadline_ts, t.completed_user, t.result_code, t.user_comment,
          coalesce(t.project_key, p.project_key) AS in_project
        FROM workflows.task_info_t t LEFT JOIN workflows.process_info_t p USING (host_id, process_id)
        WHERE t.host_id = CAST(:host AS uuid)
        """;

    /** Tasks of the outermost list of a process. */
    String OUTERMOST = """
        FROM workflows.task_info_t t WHERE t.host_id = p.host_id AND t.process_id = p.process_id
          AND t.path ~ '^/do/[0-9]+/[^/]+$'
        """;

    /**
     * Row of {@code workflows.task_info_t}: a task, with the names and order of its JSON.
     *
     * @param inProject key of its project; not in the JSON
     */
    @MappedEntity(value = "task_info_t", schema = "workflows")
    record TaskRow(
            @Id @MappedProperty("task_id") UUID id,
            @Nullable UUID processId,
            @MappedProperty("wf_instance_id") String instanceId,
            @MappedProperty("wf_task_id") String name,
            @MappedProperty("task_type") String type,
            String pointer,
            String path,
            @MappedProperty("task_order") long order,
            int attempt,
            @MappedProperty("status_code") String status,
            String phase,
            @MappedProperty("task_input") @Nullable String input,
            @MappedProperty("task_output") @Nullable String output,
            @MappedProperty("error_info") @Nullable String error,
            @MappedProperty("started_ts") Instant startedAt,
            @MappedProperty("completed_ts") @Nullable Instant completedAt,
            @MappedProperty("session_key") @Nullable String session,
            @Nullable UUID turnId,
            @Nullable UUID callId,
            @Nullable String question,
            int priority,
            @MappedProperty("locking_user") @Nullable String claimedBy,
            @MappedProperty("locked_until_ts") @Nullable Instant claimedUntil,
            @Nullable String lockGroup,
            @MappedProperty("deadline_ts") @Nullable Instant deadline,
            @MappedProperty("completed_user") @Nullable String completedBy,
            @MappedProperty("result_code") @Nullable String result,
            @MappedProperty("user_comment") @Nullable String comment,
            String inProject) {
        private static final Set<String> OF_SESSIONS = Set.of("session", "turnId", "callId");
        private static final Set<String> OF_QUESTIONS =
                Set.of("question priority claimedBy claimedUntil lockGroup deadline completedBy result".split(" "));

        Json json() {
            var json = new LinkedHashMap<>(RowJson.of(this).map());
            json.remove("inProject");
            if (session == null) {
                json.keySet().removeAll(OF_SESSIONS);
            }
            if (question == null) {
                json.keySet().removeAll(OF_QUESTIONS);
                if (comment == null) {
                    json.remove("comment");
                }
            }
            return Json.of(json);
        }

        Found found() {
            return new Found(id, inProject, startedAt, json());
        }
    }

    /** An assignment, with the names and order of its JSON. */
    @Introspected
    record Assignment(
            String assignee,
            @Nullable String category,
            String reason,
            Instant assignedAt,
            @Nullable Instant unassignedAt,
            @Nullable String unassignedReason) {}

    @Query(SELECT + "AND t.task_id = :id")
    Optional<TaskRow> find(String host, UUID id);

    /** The first tasks of a process with a higher number. */
    @Query(SELECT + "AND t.process_id = :process AND t.task_order > :after ORDER BY t.task_order LIMIT :limit")
    List<TaskRow> first(String host, UUID process, long after, int limit);

    /** The last tasks of a process with a lower number, the last first. */
    @Query(SELECT + "AND t.process_id = :process AND t.task_order < :before ORDER BY t.task_order DESC LIMIT :limit")
    List<TaskRow> last(String host, UUID process, long before, int limit);

    /** Tasks of processes that a user has answered, the newest first. */
    @Query(SELECT + """
        AND t.completed_user = :user AND t.process_id IS NOT NULL ORDER BY t.started_ts DESC LIMIT :limit
        """)
    List<TaskRow> answeredBy(String host, String user, int limit);

    /**
     * Pending human tasks of a project, by priority, then the oldest first; null filters match all.
     *
     * @param reader ids of the reader as an assignee, in lines
     * @param assignees ids in lines; selects their tasks and unassigned ones
     * @param after the last id of the page before
     */
    @Query(SELECT + """
          AND t.project_id = :project AND t.question IS NOT NULL AND t.completed_ts IS NULL
          AND (t.process_id IS NOT NULL
            OR EXISTS (SELECT FROM workflows.task_asst_t a WHERE a.host_id = t.host_id AND a.task_id = t.task_id
              AND a.unassigned_ts IS NULL AND a.assignee_id = ANY (string_to_array(:reader, E'\\n'))))
          AND (CAST(:assignees AS text) IS NULL
            OR EXISTS (SELECT FROM workflows.task_asst_t a WHERE a.host_id = t.host_id AND a.task_id = t.task_id
              AND a.unassigned_ts IS NULL AND a.assignee_id = ANY (string_to_array(:assignees, E'\\n'))
              AND (CAST(:category AS text) IS NULL OR a.category_code = :category)
              AND (CAST(:assignedBefore AS timestamptz) IS NULL
                OR a.assigned_ts < CAST(:assignedBefore AS timestamptz)))
            OR CAST(:category AS text) IS NULL AND NOT EXISTS (SELECT FROM workflows.task_asst_t a
              WHERE a.host_id = t.host_id AND a.task_id = t.task_id AND a.unassigned_ts IS NULL))
          AND (CAST(:app AS text) IS NULL OR p.app_id = :app)
          AND (CAST(:after AS uuid) IS NULL
            OR (-t.priority, t.started_ts, t.task_id) > (SELECT -l.priority, l.started_ts, l.task_id
              FROM workflows.task_info_t l WHERE l.host_id = t.host_id AND l.task_id = CAST(:after AS uuid)))
        ORDER BY -t.priority, t.started_ts, t.task_id LIMIT :limit
        """)
    List<TaskRow> open(
            String host,
            UUID project,
            String reader,
            @Nullable String assignees,
            @Nullable String category,
            @Nullable Instant assignedBefore,
            @Nullable String app,
            @Nullable UUID after,
            int limit);

    @Query("""
        SELECT assignee_id AS assignee, category_code AS category, reason_code AS reason, assigned_ts AS assigned_at,
          unassigned_ts AS unassigned_at, unassigned_reason
        FROM workflows.task_asst_t WHERE host_id = CAST(:host AS uuid) AND task_id = :task
        ORDER BY assigned_ts, assignee_id
        """)
    List<Assignment> assignments(String host, UUID task);

    /** The output of the task before the last run of a task of the outermost list, or the input of the process. */
    @Query("SELECT coalesce((SELECT t.task_output " + OUTERMOST + """
            AND t.task_order < b.task_order AND t.phase = 'completed' ORDER BY t.task_order DESC LIMIT 1), p.input_data)
        FROM workflows.process_info_t p, LATERAL (SELECT t.task_order
        """ + OUTERMOST + """
            AND t.wf_task_id = :task ORDER BY t.task_order DESC LIMIT 1) AS b
        WHERE p.host_id = CAST(:host AS uuid) AND p.process_id = :process
        """)
    Optional<String> lastInput(String host, UUID process, String task);
}
