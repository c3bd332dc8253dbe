-- Where a project wants its events sent to. failures counts attempts that failed one after the other, failing_ts says since when.
CREATE TABLE event_hook_t (
  host_id           uuid          NOT NULL,
  hook_id           uuid          NOT NULL,
  project_id        uuid          NOT NULL,
  url               varchar(2000) NOT NULL,
  description       varchar(256)  NOT NULL DEFAULT '',
  events            varchar(500)  NOT NULL,          -- their types, with commas between; * for all
  sealed            bytea         NOT NULL,          -- the secret that signs
  master_key_id     bigint        NOT NULL,
  old_sealed        bytea,                           -- the one before, which signs as well until then
  old_master_key_id bigint,
  old_until_ts      timestamptz,
  enabled           boolean       NOT NULL DEFAULT true,
  problem           text,                            -- why it was disabled
  failures          int           NOT NULL DEFAULT 0,
  failing_ts        timestamptz,
  created_ts        timestamptz   NOT NULL DEFAULT now(),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL,
  PRIMARY KEY (host_id, hook_id),
  CHECK ((old_sealed IS NULL) = (old_until_ts IS NULL) AND (old_sealed IS NULL) = (old_master_key_id IS NULL))
);
CREATE INDEX ix_event_hook_project ON event_hook_t (host_id, project_id);

-- An event for one of them: it waits until it is due, and is delivered or given up.
CREATE TABLE hook_delivery_t (
  host_id           uuid          NOT NULL,
  delivery_id       uuid          NOT NULL,
  hook_id           uuid          NOT NULL,
  project_id        uuid          NOT NULL,
  event             varchar(64)   NOT NULL,
  session           text,                            -- key of the session that it is of, or null
  body              text          NOT NULL,
  state             varchar(10)   NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
  attempts          int           NOT NULL DEFAULT 0,
  due_ts            timestamptz   NOT NULL DEFAULT now(),
  status            int,                             -- that the last attempt was answered with
  detail            text,                            -- why the last attempt failed
  created_ts        timestamptz   NOT NULL DEFAULT now(),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, delivery_id),
  FOREIGN KEY (host_id, hook_id) REFERENCES event_hook_t ON DELETE CASCADE
);
CREATE INDEX ix_hook_delivery_due ON hook_delivery_t (due_ts) WHERE state = 'waiting';
CREATE INDEX ix_hook_delivery_hook ON hook_delivery_t (host_id, hook_id, created_ts DESC);
CREATE INDEX ix_hook_delivery_session ON hook_delivery_t (host_id, project_id, session) WHERE session IS NOT NULL;
CREATE INDEX ix_hook_delivery_old ON hook_delivery_t (update_ts) WHERE state <> 'waiting';

ALTER TABLE event_hook_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON event_hook_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE hook_delivery_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON hook_delivery_t USING (${ofProject}) WITH CHECK (${ofProject});
GRANT SELECT, INSERT, UPDATE, DELETE ON event_hook_t, hook_delivery_t TO "${appRole}";
