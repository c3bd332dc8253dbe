-- A message that asks somebody about a task of a workflow; active as long as it may be answered.
CREATE TABLE task_message_t (
  host_id           uuid         NOT NULL,
  reply_id          uuid         NOT NULL,
  task_id           uuid         NOT NULL,
  bot               varchar(126) NOT NULL,
  chat              varchar(256) NOT NULL,
  user_id           uuid         NOT NULL, -- the account of whom it is shown to
  project_id        uuid         NOT NULL,
  project_key       text         NOT NULL,
  process_id        uuid         NOT NULL,
  task_order        bigint       NOT NULL,
  question          text         NOT NULL,
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, reply_id)
);
CREATE INDEX ix_task_message_task ON task_message_t (host_id, task_id);
CREATE INDEX ix_task_message_chat ON task_message_t (host_id, bot, chat, created_ts);
CREATE INDEX ix_task_message_user ON task_message_t (host_id, user_id);
CREATE INDEX ix_task_message_project ON task_message_t (host_id, project_id);
CREATE INDEX ix_task_message_old ON task_message_t (update_ts) WHERE NOT active;

ALTER TABLE task_message_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON task_message_t USING (${ofProject}) WITH CHECK (${ofProject});
GRANT SELECT, INSERT, UPDATE, DELETE ON task_message_t TO "${appRole}";
