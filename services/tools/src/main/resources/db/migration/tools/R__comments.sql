-- What each table and column holds, for whoever reads them with SQL. A column without a comment fails the build; one that
-- begins with 'Secret.' is not readable for read-only roles. Times are timestamps with time zone.

COMMENT ON TABLE tool_execution_t IS
  'Ledger of tool calls that must not run twice.';
COMMENT ON COLUMN tool_execution_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN tool_execution_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN tool_execution_t.call_id IS 'Id of the call; the same in all attempts.';
COMMENT ON COLUMN tool_execution_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN tool_execution_t.session_key IS
  'Key of the session in its project, such as telegram:648079060; empty once erased.';
COMMENT ON COLUMN tool_execution_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN tool_execution_t.agent IS 'Name of the agent.';
COMMENT ON COLUMN tool_execution_t.tool IS 'Name of the tool.';
COMMENT ON COLUMN tool_execution_t.effect IS 'Effect of the tool: IDEMPOTENT, RECONCILABLE, AT_MOST_ONCE.';
COMMENT ON COLUMN tool_execution_t.attempt IS 'Number of the attempt, from 1.';
COMMENT ON COLUMN tool_execution_t.state IS 'State of the execution: requested, started, done, unknown.';
COMMENT ON COLUMN tool_execution_t.worker IS 'Worker that executes the call.';
COMMENT ON COLUMN tool_execution_t.status IS 'Status of the result: COMPLETED, ERROR, UNKNOWN.';
COMMENT ON COLUMN tool_execution_t.result IS 'Result.';
COMMENT ON COLUMN tool_execution_t.files IS 'Files that the call made for the person, as JSON.';
COMMENT ON COLUMN tool_execution_t.started_ts IS 'Time of the start; null while queued.';
COMMENT ON COLUMN tool_execution_t.heartbeat_ts IS 'Time of the worker''s last sign of life.';
COMMENT ON COLUMN tool_execution_t.finished_ts IS 'Time of the end, or null.';
COMMENT ON COLUMN tool_execution_t.decided_outcome IS
  'Decision about a doubtful call: done or not done: happened, did_not_happen.';
COMMENT ON COLUMN tool_execution_t.decided_user IS 'Id of the person who decided.';
COMMENT ON COLUMN tool_execution_t.decided_ts IS 'Time of the decision.';
COMMENT ON COLUMN tool_execution_t.decided_note IS 'Note of the person who decided a doubtful call.';
COMMENT ON COLUMN tool_execution_t.aggregate_version IS
  'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN tool_execution_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN tool_execution_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN tool_execution_t.update_user IS
  'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE erased_session_t IS
  'Sessions that are erased, whose late results go with the next purge.';
COMMENT ON COLUMN erased_session_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN erased_session_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN erased_session_t.erased_ts IS 'Time of erasure.';

COMMENT ON TABLE workspace_t IS
  'Workspaces: the files of a project.';
COMMENT ON COLUMN workspace_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN workspace_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN workspace_t.erased_ts IS 'Time of erasure.';

COMMENT ON TABLE file_t IS
  'Files of a workspace as they are now.';
COMMENT ON COLUMN file_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN file_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN file_t.file_id IS 'Id of the file.';
COMMENT ON COLUMN file_t.path IS 'Path.';
COMMENT ON COLUMN file_t.mime IS 'Media type.';
COMMENT ON COLUMN file_t.metadata IS 'Further properties as JSON.';
COMMENT ON COLUMN file_t.is_text IS 'Whether the content is text.';
COMMENT ON COLUMN file_t.size IS 'Size in bytes.';
COMMENT ON COLUMN file_t.sha256 IS 'SHA-256 of the bytes.';
COMMENT ON COLUMN file_t.version IS 'Version.';
COMMENT ON COLUMN file_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN file_t.deleted_ts IS 'Time of deletion, or null.';
COMMENT ON COLUMN file_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN file_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE file_version_t IS
  'Versions of files, and who made them.';
COMMENT ON COLUMN file_version_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN file_version_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN file_version_t.file_id IS 'Id of the file.';
COMMENT ON COLUMN file_version_t.version IS 'Version.';
COMMENT ON COLUMN file_version_t.storage_kind IS 'How the version is stored: full, patch, blob, deleted.';
COMMENT ON COLUMN file_version_t.base_version IS 'Version at which reading of a patch begins.';
COMMENT ON COLUMN file_version_t.content IS 'Text, or a unified diff from the version before, by storage_kind.';
COMMENT ON COLUMN file_version_t.mime IS 'Media type.';
COMMENT ON COLUMN file_version_t.metadata IS 'Further properties as JSON.';
COMMENT ON COLUMN file_version_t.is_text IS 'Whether the content is text.';
COMMENT ON COLUMN file_version_t.size IS 'Size in bytes.';
COMMENT ON COLUMN file_version_t.sha256 IS 'SHA-256 of the bytes.';
COMMENT ON COLUMN file_version_t.author_kind IS 'Kind of author: agent, user.';
COMMENT ON COLUMN file_version_t.author IS 'Name of the agent or id of the person that made the version.';
COMMENT ON COLUMN file_version_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN file_version_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN file_version_t.top_turn_id IS 'Turn at the top of the delegation.';
COMMENT ON COLUMN file_version_t.step IS 'Number of the model call in its turn, from 0.';
COMMENT ON COLUMN file_version_t.call_id IS 'Id of the call; the same in all attempts.';
COMMENT ON COLUMN file_version_t.created_ts IS 'Time of creation.';

COMMENT ON TABLE snapshot_t IS
  'States of a workspace at a moment.';
COMMENT ON COLUMN snapshot_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN snapshot_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN snapshot_t.snapshot_id IS 'Id of the snapshot.';
COMMENT ON COLUMN snapshot_t.hash IS 'SHA-256 over a line with path and hash for each file.';
COMMENT ON COLUMN snapshot_t.file_count IS 'Number of files.';
COMMENT ON COLUMN snapshot_t.reason IS 'Reason: step, restore, user.';
COMMENT ON COLUMN snapshot_t.session_id IS 'Id of the session.';
COMMENT ON COLUMN snapshot_t.turn_id IS 'Id of the turn; null where the row belongs to no turn.';
COMMENT ON COLUMN snapshot_t.step IS 'Number of the model call in its turn, from 0.';
COMMENT ON COLUMN snapshot_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN snapshot_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE snapshot_file_t IS
  'Versions of files in a snapshot.';
COMMENT ON COLUMN snapshot_file_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN snapshot_file_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN snapshot_file_t.snapshot_id IS 'Id of the snapshot.';
COMMENT ON COLUMN snapshot_file_t.file_id IS 'Id of the file.';
COMMENT ON COLUMN snapshot_file_t.version IS 'Version.';

COMMENT ON TABLE reversion_t IS
  'Turns whose changes of files were taken back, and calls that brought them back.';
COMMENT ON COLUMN reversion_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN reversion_t.project_id IS
  'Id of the project; null where the row belongs to the whole host. Row-level security compares it with app.project.';
COMMENT ON COLUMN reversion_t.reversion_id IS 'Id of the call that did it.';
COMMENT ON COLUMN reversion_t.turns IS 'Ids of the turns.';
COMMENT ON COLUMN reversion_t.files IS 'Ids of the files.';
COMMENT ON COLUMN reversion_t.from_versions IS 'Versions of the files before, in the order of files.';
COMMENT ON COLUMN reversion_t.to_versions IS 'Versions of the files that were made, in the order of files.';
COMMENT ON COLUMN reversion_t.result IS 'Result.';
COMMENT ON COLUMN reversion_t.undone_ts IS 'Time at which the reversion was taken back, or null.';
COMMENT ON COLUMN reversion_t.created_ts IS 'Time of creation.';
COMMENT ON COLUMN reversion_t.update_user IS 'Id of the person, or name of the service, that made the last change.';
