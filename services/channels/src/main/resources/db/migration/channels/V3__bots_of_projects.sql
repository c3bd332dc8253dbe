-- A bot that people of a project have made while everything runs. A name is its project's for good: who made another project's bot of
-- that name would have its chats and its people. One that was removed has no token any more.
CREATE TABLE project_bot_t (
  host_id           uuid         NOT NULL,
  bot_id            uuid         NOT NULL,
  bot               varchar(63)  NOT NULL,
  project_id        uuid         NOT NULL,
  project_key       varchar(64)  NOT NULL,
  kind              varchar(16)  NOT NULL CHECK (kind IN ('telegram', 'webhook')),
  settings          jsonb        NOT NULL CHECK (jsonb_typeof(settings) = 'object'),
  account           varchar(64),           -- who the channel says it is, where its token says so: one bot each
  sealed            bytea,                 -- its token, or the secret that signs
  master_key_id     bigint,
  last4             varchar(4),
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, bot_id),
  CHECK (active = (sealed IS NOT NULL AND master_key_id IS NOT NULL AND last4 IS NOT NULL)),
  CHECK (active OR account IS NULL)
);
CREATE UNIQUE INDEX ux_project_bot_name ON project_bot_t (bot);
CREATE UNIQUE INDEX ux_project_bot_account ON project_bot_t (kind, account) WHERE account IS NOT NULL;
CREATE INDEX ix_project_bot_project ON project_bot_t (host_id, project_id);

ALTER TABLE project_bot_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON project_bot_t USING (${ofProject}) WITH CHECK (${ofProject});
GRANT SELECT, INSERT, UPDATE, DELETE ON project_bot_t TO "${appRole}";
