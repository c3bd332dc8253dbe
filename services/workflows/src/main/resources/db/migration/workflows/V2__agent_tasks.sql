-- What agents ask people stands beside what processes ask: a task of a session has no process.
--
-- wf_instance_id is then the session's key, cut where it is longer, wf_task_id the tool's name, task_order the number of the event, and task_type
-- approval (may this call be carried out?) or outcome (was it, when nobody saw its end?). Another projector writes these rows,
-- from turn-events.
ALTER TABLE task_info_t
  ALTER COLUMN process_id DROP NOT NULL,
  ADD COLUMN project_key text, -- that of its process is there
  ADD COLUMN session_id uuid,
  ADD COLUMN session_key text,
  ADD COLUMN turn_id uuid,
  ADD COLUMN call_id uuid,
  ADD CHECK ((process_id IS NULL) = (session_id IS NOT NULL));
CREATE INDEX idx_task_session ON task_info_t (host_id, project_id, session_key) WHERE session_id IS NOT NULL;
CREATE INDEX idx_task_call ON task_info_t (host_id, call_id) WHERE call_id IS NOT NULL AND completed_ts IS NULL;
