package dev.parley.workflows.view;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.workflow.HumanTask;
import dev.parley.domain.workflow.HumanTask.Assignee;
import dev.parley.domain.workflow.ProcessRef;
import dev.parley.domain.workflow.WorkflowEvent.HumanTaskChanged;
import dev.parley.domain.workflow.WorkflowEvent.TaskChange;
import dev.parley.platform.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/** Writes what people have to do: each change for itself, as they are few. */
final class PeopleViews {
    private final Connection connection;

    PeopleViews(Connection connection) {
        this.connection = connection;
    }

    void write(HumanTaskChanged changed) throws SQLException {
        ProcessRef process = changed.meta().process();
        HumanTask task = changed.task();
        Instant at = changed.meta().at();
        UUID id = ProcessViews.task(process, task.taskOrder());
        boolean answered = changed.change() == TaskChange.ANSWERED;
        new Rows("uuid uuid text text int4 text timestamptz text timestamptz text text text")
                .add(
                        process.host(),
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
        switch (changed.change()) {
            case ASKED, DELEGATED, ESCALATED -> {
                end(process, id, at, changed.change() == TaskChange.ESCALATED ? "escalated" : "delegated");
                for (Assignee assignee : task.assignees()) {
                    assign(process, id, assignee);
                }
            }
            case ANSWERED -> end(process, id, at, "completed");
            case WITHDRAWN -> end(process, id, at, "withdrawn");
            case CLAIMED, RELEASED, CLAIM_LAPSED, REFUSED -> {}
        }
    }

    private void end(ProcessRef process, UUID task, Instant at, String reason) throws SQLException {
        new Rows("uuid uuid timestamptz text")
                .add(process.host(), task, at, reason)
                .run(connection, """
                UPDATE workflows.task_asst_t a SET unassigned_ts = t.at, unassigned_reason = t.reason,
                  aggregate_version = a.aggregate_version + 1, update_ts = t.at
                FROM $rows AS t (host, task, at, reason)
                WHERE a.host_id = t.host AND a.task_id = t.task AND a.unassigned_ts IS NULL
                """);
    }

    private void assign(ProcessRef process, UUID task, Assignee assignee) throws SQLException {
        new Rows("uuid uuid uuid uuid timestamptz text text text")
                .add(
                        process.host(),
                        Ids.of("assignment", task, assignee.id(), assignee.at()),
                        RecordKey.projectId(process.project()),
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
