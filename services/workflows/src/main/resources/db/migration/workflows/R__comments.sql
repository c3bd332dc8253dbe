-- What each table and column holds, for whoever reads them with SQL. A column without a comment fails the build; one that
-- begins with 'Secret.' is not readable for read-only roles. Times are timestamps with time zone.

COMMENT ON TABLE wf_definition_t IS
  'Definitions of workflows; without a project for all projects of the host.';
COMMENT ON COLUMN wf_definition_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN wf_definition_t.wf_def_id IS 'Id of the workflow''s definition.';
COMMENT ON COLUMN wf_definition_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN wf_definition_t.namespace IS 'Namespace of the definition.';
COMMENT ON COLUMN wf_definition_t.name IS 'Name.';
COMMENT ON COLUMN wf_definition_t.version IS 'Version.';
COMMENT ON COLUMN wf_definition_t.definition IS 'Text of the definition, byte for byte.';
COMMENT ON COLUMN wf_definition_t.digest IS 'SHA-256 of the definition.';
COMMENT ON COLUMN wf_definition_t.title IS 'Title.';
COMMENT ON COLUMN wf_definition_t.summary IS 'Summary.';
COMMENT ON COLUMN wf_definition_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN wf_definition_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN wf_definition_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN wf_definition_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN wf_definition_t.update_user IS 'Id of the person, or name of the service, that made the last change.';
COMMENT ON COLUMN wf_definition_t.revision IS 'Revision of the definition on its topic.';
COMMENT ON COLUMN wf_definition_t.confirmed IS 'Whether the broker has acknowledged the definition.';
COMMENT ON COLUMN wf_definition_t.imported IS 'Whether it came with an import.';

COMMENT ON TABLE process_info_t IS
  'Processes: runs of workflows.';
COMMENT ON COLUMN process_info_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN process_info_t.process_id IS 'Id of the process.';
COMMENT ON COLUMN process_info_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN process_info_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN process_info_t.wf_def_id IS 'Id of the workflow''s definition.';
COMMENT ON COLUMN process_info_t.wf_instance_id IS 'Id of the instance, as the specification has it.';
COMMENT ON COLUMN process_info_t.workflow IS 'Definition as namespace:name:version.';
COMMENT ON COLUMN process_info_t.app_id IS 'Application of the process, as its starter named it.';
COMMENT ON COLUMN process_info_t.process_type IS 'Type of the process, as its starter named it.';
COMMENT ON COLUMN process_info_t.process_subtype_code IS 'Subtype of the process, as its starter named it.';
COMMENT ON COLUMN process_info_t.status_code IS
  'Status: U not begun, A at work, W waiting, S suspended, C completed, F faulted, X cancelled.';
COMMENT ON COLUMN process_info_t.phase IS 'State of its life, as the engine has it.';
COMMENT ON COLUMN process_info_t.next IS 'What the process waits for, in a line.';
COMMENT ON COLUMN process_info_t.started_ts IS 'Time of the start; null while queued.';
COMMENT ON COLUMN process_info_t.started_user IS 'Id of the person who started it.';
COMMENT ON COLUMN process_info_t.ex_trigger_ts IS 'Time at which the process continues by itself next, or did last.';
COMMENT ON COLUMN process_info_t.custom_status_code IS 'Status that the definition sets.';
COMMENT ON COLUMN process_info_t.completed_ts IS 'Time of the end; null while open.';
COMMENT ON COLUMN process_info_t.result_code IS 'Business result.';
COMMENT ON COLUMN process_info_t.source_id IS 'Id of the source.';
COMMENT ON COLUMN process_info_t.branch_code IS 'Branch of the business process, as its starter named it.';
COMMENT ON COLUMN process_info_t.rr_code IS 'Rework or return code of the process.';
COMMENT ON COLUMN process_info_t.party_id IS 'Id of the party, as its starter named it.';
COMMENT ON COLUMN process_info_t.party_name IS 'Name of the party.';
COMMENT ON COLUMN process_info_t.counter_party_id IS 'Id of the counterparty, as its starter named it.';
COMMENT ON COLUMN process_info_t.counter_party_name IS 'Name of the counterparty.';
COMMENT ON COLUMN process_info_t.txn_id IS 'Id of the business transaction.';
COMMENT ON COLUMN process_info_t.txn_name IS 'Name of the business transaction.';
COMMENT ON COLUMN process_info_t.product_id IS 'Id of the product.';
COMMENT ON COLUMN process_info_t.product_name IS 'Name of the product.';
COMMENT ON COLUMN process_info_t.product_type IS 'Type of the product.';
COMMENT ON COLUMN process_info_t.group_name IS 'Business group.';
COMMENT ON COLUMN process_info_t.subgroup_name IS 'Business subgroup.';
COMMENT ON COLUMN process_info_t.owning_group_name IS 'Business group that owns the process.';
COMMENT ON COLUMN process_info_t.event_start_ts IS 'Start of the business event.';
COMMENT ON COLUMN process_info_t.event_end_ts IS 'End of the business event.';
COMMENT ON COLUMN process_info_t.event_other_ts IS 'A further time of the business event.';
COMMENT ON COLUMN process_info_t.event_other IS 'Name of a further time of the business event.';
COMMENT ON COLUMN process_info_t.risk IS 'Risk of the business process.';
COMMENT ON COLUMN process_info_t.risk_scale IS 'Number of decimals of the risk.';
COMMENT ON COLUMN process_info_t.price IS 'Price of the business process.';
COMMENT ON COLUMN process_info_t.price_scale IS 'Number of decimals of the price.';
COMMENT ON COLUMN process_info_t.product_qy IS 'Quantity of the product.';
COMMENT ON COLUMN process_info_t.product_qy_scale IS 'Number of decimals of the quantity.';
COMMENT ON COLUMN process_info_t.currency_code IS 'Currency of the price.';
COMMENT ON COLUMN process_info_t.ex_ref_id IS 'External reference of the process; its business key.';
COMMENT ON COLUMN process_info_t.ex_ref_code IS 'Kind of external reference.';
COMMENT ON COLUMN process_info_t.parent_process_id IS 'Process that started this one, or null.';
COMMENT ON COLUMN process_info_t.parent_group_id IS 'Group of the parent process.';
COMMENT ON COLUMN process_info_t.origin_id IS 'Process that this one repeats, or null.';
COMMENT ON COLUMN process_info_t.deadline_ts IS 'Time by which it must end, or null.';
COMMENT ON COLUMN process_info_t.input_data IS 'Input of the process as JSON.';
COMMENT ON COLUMN process_info_t.context_data IS 'Context of the process as JSON.';
COMMENT ON COLUMN process_info_t.output_data IS 'Output of the process as JSON.';
COMMENT ON COLUMN process_info_t.error_info IS 'Error as JSON.';
COMMENT ON COLUMN process_info_t.business IS 'Further business fields of the process as JSON.';
COMMENT ON COLUMN process_info_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN process_info_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN process_info_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN process_info_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE task_info_t IS
  'Tasks of processes: runs of their steps, and questions to people.';
COMMENT ON COLUMN task_info_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN task_info_t.task_id IS 'Id of the task.';
COMMENT ON COLUMN task_info_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN task_info_t.task_type IS 'Kind of task, as the specification names it.';
COMMENT ON COLUMN task_info_t.process_id IS 'Id of the process.';
COMMENT ON COLUMN task_info_t.wf_instance_id IS 'Id of the instance, as the specification has it.';
COMMENT ON COLUMN task_info_t.wf_task_id IS 'Name of the task in the definition.';
COMMENT ON COLUMN task_info_t.task_order IS 'Number of the run of the task in its process.';
COMMENT ON COLUMN task_info_t.pointer IS 'JSON pointer of the task in the definition.';
COMMENT ON COLUMN task_info_t.path IS 'Path of the task in the process.';
COMMENT ON COLUMN task_info_t.attempt IS 'Number of the attempt, from 1.';
COMMENT ON COLUMN task_info_t.status_code IS
  'Status: U not begun, A at work, W waiting, S suspended, C completed, F faulted, X cancelled.';
COMMENT ON COLUMN task_info_t.phase IS 'State of its life, as the engine has it.';
COMMENT ON COLUMN task_info_t.started_ts IS 'Time of the start; null while queued.';
COMMENT ON COLUMN task_info_t.locked IS 'Whether somebody has taken the task: Y, N.';
COMMENT ON COLUMN task_info_t.priority IS 'Priority; higher ones come first.';
COMMENT ON COLUMN task_info_t.completed_ts IS 'Time of the end; null while open.';
COMMENT ON COLUMN task_info_t.completed_user IS 'Id of the person who completed it.';
COMMENT ON COLUMN task_info_t.result_code IS 'Business result.';
COMMENT ON COLUMN task_info_t.locking_user IS 'Id of the person who has taken the task.';
COMMENT ON COLUMN task_info_t.locked_until_ts IS 'Time at which the lock lapses.';
COMMENT ON COLUMN task_info_t.deadline_ts IS 'Time by which it must end, or null.';
COMMENT ON COLUMN task_info_t.lock_group IS 'Group whose members may take the task.';
COMMENT ON COLUMN task_info_t.question IS 'Question to a person as JSON; null for other tasks.';
COMMENT ON COLUMN task_info_t.user_comment IS 'Comment of the person who acted.';
COMMENT ON COLUMN task_info_t.task_input IS 'Input of the task as JSON.';
COMMENT ON COLUMN task_info_t.task_output IS 'Output of the task as JSON.';
COMMENT ON COLUMN task_info_t.error_info IS 'Error as JSON.';
COMMENT ON COLUMN task_info_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN task_info_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN task_info_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN task_info_t.update_user IS 'Id of the person, or name of the service, that made the last change.';
COMMENT ON COLUMN task_info_t.project_key IS 'Name of the project; the first part of record keys.';
COMMENT ON COLUMN task_info_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN task_info_t.session_key IS 'Key of the session whose agent works on the task, or null.';
COMMENT ON COLUMN task_info_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN task_info_t.call_id IS 'Id of the call; the same in all attempts.';

COMMENT ON TABLE task_asst_t IS
  'Assignments of tasks to people and roles.';
COMMENT ON COLUMN task_asst_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN task_asst_t.task_asst_id IS 'Id of the assignment.';
COMMENT ON COLUMN task_asst_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN task_asst_t.task_id IS 'Id of the task.';
COMMENT ON COLUMN task_asst_t.assigned_ts IS 'Time of the assignment.';
COMMENT ON COLUMN task_asst_t.assignee_id IS 'Id of the assigned person, or role: and the name of a role.';
COMMENT ON COLUMN task_asst_t.reason_code IS 'Reason of the assignment.';
COMMENT ON COLUMN task_asst_t.unassigned_ts IS 'Time of the end of the assignment, or null.';
COMMENT ON COLUMN task_asst_t.unassigned_reason IS 'Reason for the end of the assignment.';
COMMENT ON COLUMN task_asst_t.category_code IS 'Category of the worklist.';
COMMENT ON COLUMN task_asst_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN task_asst_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN task_asst_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN task_asst_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE worklist_t IS
  'Worklists of people and roles.';
COMMENT ON COLUMN worklist_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN worklist_t.assignee_id IS 'Id of the assigned person, or role: and the name of a role.';
COMMENT ON COLUMN worklist_t.category_id IS 'Category of the worklist.';
COMMENT ON COLUMN worklist_t.status_code IS 'Status: Active, Inactive.';
COMMENT ON COLUMN worklist_t.app_id IS 'Application of the process, as its starter named it.';
COMMENT ON COLUMN worklist_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN worklist_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN worklist_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN worklist_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE worklist_column_t IS
  'Columns of worklists.';
COMMENT ON COLUMN worklist_column_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN worklist_column_t.assignee_id IS 'Id of the assigned person, or role: and the name of a role.';
COMMENT ON COLUMN worklist_column_t.category_id IS 'Category of the worklist.';
COMMENT ON COLUMN worklist_column_t.sequence_id IS 'Position, from 0.';
COMMENT ON COLUMN worklist_column_t.column_id IS 'Name of the column.';
COMMENT ON COLUMN worklist_column_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN worklist_column_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN worklist_column_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN worklist_column_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE projection_offset_t IS
  'Offset up to which the views of workflows are projected. It belongs to no host.';
COMMENT ON COLUMN projection_offset_t.topic IS 'Name of the topic.';
COMMENT ON COLUMN projection_offset_t."partition" IS 'Partition of the topic.';
COMMENT ON COLUMN projection_offset_t."offset" IS 'Offset of the next record to read.';

COMMENT ON VIEW worklist_asst_v IS 'Open tasks of worklists.';
