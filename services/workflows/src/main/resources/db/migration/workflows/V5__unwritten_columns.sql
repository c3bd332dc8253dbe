-- A claim is a person's: nothing locks a task for a role (docs/decisions/0087).
ALTER TABLE task_info_t DROP COLUMN locking_role;
