package dev.parley.workflows.view;

import dev.parley.domain.Ids;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.platform.database.RowBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/**
 * Writes changes of human tasks and assignments, one statement per change, because they are rare. Hand-written SQL,
 * because replays write outside the pool.
 */
final class PeopleViews {
    private final Connection connection;
    private final UUID host;
    private final UUID project;

    PeopleViews(Connection connection, UUID host, UUID project) {
        this.connection = connection;
        this.host = host;
        this.project = project;
    }

    void write(HumanTaskChanged changed) throws SQLException {
        HumanTask task = changed.task();
        Instant time = changed.meta().at();
        UUID id = ProcessViews.task(changed.meta().process(), task.taskOrder());
        update(id, changed);
        switch (changed.change()) {
            case ASKED, DELEGATED, ESCALATED -> {
                end(id, time, changed.change() == TaskChange.ESCALATED ? "escalated" : "delegated");
                for (Assignee assignee : task.assignees()) {
                    assign(id, assignee);
                }
            }
            case ANSWERED -> end(id, time, "completed");
            case WITHDRAWN -> end(id, time, "withdrawn");
            case CLAIMED, RELEASED, CLAIM_LAPSED, REFUSED -> {}
        }
    }

    private void update(UUID id, HumanTaskChanged changed) throws SQLException {
        HumanTask task = changed.task();
        boolean answered = changed.change() == TaskChange.ANSWERED;
        new RowBatch("uuid uuid json text int4 text timestamptz text timestamptz text text text")
                .add(
                        host,
                        id,
                        task.question(),
                        task.claimedBy() == null ? "N" : "Y",
                        task.priority(),
                        task.claimedBy(),
                        task.claimedUntil(),
                        task.lockGroup(),
                        task.deadline(),
                        answered ? changed.meta().user() : null,
                        answered ? "answered" : null,
                        changed.comment())
                .run(connection, """
                    UPDATE workflows.task_info_t i SET question = t.question, locked = t.locked, priority = t.priority,
                      locking_user = t.by, locked_until_ts = t.until, lock_group = t.lock_group, deadline_ts = t.deadline,
                      completed_user = coalesce(t.answerer, i.completed_user),
                      result_code = coalesce(t.result, i.result_code), user_comment = coalesce(t.comment, i.user_comment)
                    FROM $rows AS t (host, id, question, locked, priority, by, until, lock_group, deadline, answerer, result,
                      comment)
                    WHERE i.host_id = t.host AND i.task_id = t.id
                    """);
    }

    /** Ends the assignments of a task. */
    void end(UUID task, Instant time, String reason) throws SQLException {
        new RowBatch("uuid uuid timestamptz text").add(host, task, time, reason).run(connection, """
            UPDATE workflows.task_asst_t a SET unassigned_ts = t.at, unassigned_reason = t.reason,
              aggregate_version = a.aggregate_version + 1, update_ts = t.at
            FROM $rows AS t (host, task, at, reason)
            WHERE a.host_id = t.host AND a.task_id = t.task AND a.unassigned_ts IS NULL
            """);
    }

    /** Adds an assignment. */
    void assign(UUID task, Assignee assignee) throws SQLException {
        new RowBatch("uuid uuid uuid uuid timestamptz text text text")
                .add(
                        host,
                        Ids.of("assignment", task, assignee.id(), assignee.at()),
                        project,
                        task,
                        assignee.at(),
                        assignee.id(),
                        assignee.reason(),
                        assignee.category())
                .run(connection, """
                    INSERT INTO workflows.task_asst_t (host_id, task_asst_id, project_id, task_id, assigned_ts, assignee_id,
                      reason_code, category_code, update_ts)
                    SELECT t.*, t.assigned_ts FROM $rows AS t (host_id, task_asst_id, project_id, task_id, assigned_ts,
                      assignee_id, reason_code, category_code)
                    ON CONFLICT DO NOTHING
                    """);
    }
}
