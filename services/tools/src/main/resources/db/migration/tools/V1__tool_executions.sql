-- What the tools service keeps: one ledger. A row is inserted before the effect of a tool that must not simply be run
-- again, and says after a crash what may have happened. Postgres is the truth of it; no topic can rebuild it.
--
-- state: requested  nobody runs it; whoever takes the call up may
--        started    a worker runs it, as long as heartbeat_ts is not older than a lease
--        done       it has its one result
--        unknown    its worker died or lost sight of it, and nobody knows whether it happened: for a person to settle

CREATE TABLE tool_execution_t (
  host_id           uuid         NOT NULL,
  call_id           uuid         NOT NULL, -- the idempotency key towards the outside
  session_id        uuid         NOT NULL,
  turn_id           uuid         NOT NULL,
  agent             varchar(126) NOT NULL,
  tool              varchar(126) NOT NULL,
  effect            varchar(16)  NOT NULL CHECK (effect IN ('IDEMPOTENT', 'RECONCILABLE', 'AT_MOST_ONCE')),
  attempt           int          NOT NULL CHECK (attempt > 0), -- the one that last took it up
  state             varchar(10)  NOT NULL CHECK (state IN ('requested', 'started', 'done', 'unknown')),
  worker            varchar(200) NOT NULL,
  status            varchar(10)  CHECK (status IN ('COMPLETED', 'ERROR', 'UNKNOWN')),
  result            text,
  files             jsonb,        -- what it made for the person: [{name, mimeType, size, sha256}]
  started_ts        timestamptz  NOT NULL DEFAULT now(),
  heartbeat_ts      timestamptz  NOT NULL DEFAULT now(),
  finished_ts       timestamptz,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, call_id),
  CHECK ((state IN ('done', 'unknown')) = (status IS NOT NULL AND result IS NOT NULL AND finished_ts IS NOT NULL))
);

-- What waits for a person, and what is old enough to go.
CREATE INDEX ix_tool_execution_unknown ON tool_execution_t (host_id, finished_ts) WHERE state = 'unknown';
CREATE INDEX ix_tool_execution_done ON tool_execution_t (finished_ts) WHERE state = 'done';

-- What is erased with its session.
CREATE INDEX ix_tool_execution_session ON tool_execution_t (host_id, session_id);

-- Sessions that are erased: a call that was under way then may still write its result, which goes with the next purge.
CREATE TABLE erased_session_t (
  host_id    uuid        NOT NULL,
  session_id uuid        NOT NULL,
  erased_ts  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, session_id)
);

-- A transaction sees and writes the rows of the host that it has set.
ALTER TABLE tool_execution_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tool_execution_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE erased_session_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON erased_session_t USING (${ofHost}) WITH CHECK (${ofHost});

GRANT USAGE ON SCHEMA tools TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON tool_execution_t, erased_session_t TO "${appRole}";
