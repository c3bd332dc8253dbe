-- What the tools service keeps: a ledger, and the workspaces of projects.
--
-- The ledger: a row is inserted before the effect of a tool that must not simply be run
-- again, and says after a crash what may have happened. Postgres is the truth of it; no topic can rebuild it.
--
-- state: requested  nobody runs it; whoever takes the call up may
--        started    a worker runs it, as long as heartbeat_ts is not older than a lease
--        done       it has its one result
--        unknown    its worker died or lost sight of it, and nobody knows whether it happened: for a person to decide,
--                   once; then it is done, with decided_*

CREATE TABLE tool_execution_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  call_id           uuid         NOT NULL, -- the idempotency key towards the outside
  session_id        uuid         NOT NULL,
  session_key       varchar(512) NOT NULL, -- empty when the session is erased
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
  decided_outcome   varchar(16)  CHECK (decided_outcome IN ('happened', 'did_not_happen')),
  decided_user      varchar(256),
  decided_ts        timestamptz,
  decided_note      varchar(2000),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, call_id),
  CHECK ((state IN ('done', 'unknown')) = (status IS NOT NULL AND result IS NOT NULL AND finished_ts IS NOT NULL)),
  CHECK (num_nulls(decided_outcome, decided_user, decided_ts) IN (0, 3)),
  CHECK (decided_note IS NULL OR decided_outcome IS NOT NULL),
  CHECK (decided_outcome IS NULL OR (state = 'done' AND status = 'UNKNOWN'))
);

-- What waits for a person, and what is old enough to go.
CREATE INDEX ix_tool_execution_unknown ON tool_execution_t (host_id, project_id, finished_ts, call_id) WHERE state = 'unknown';
CREATE INDEX ix_tool_execution_done ON tool_execution_t (coalesce(decided_ts, finished_ts)) WHERE state = 'done';

-- What is erased with its session.
CREATE INDEX ix_tool_execution_session ON tool_execution_t (host_id, session_id);

-- Sessions that are erased: a call that was under way then may still write its result, which goes with the next purge.
CREATE TABLE erased_session_t (
  host_id    uuid        NOT NULL,
  session_id uuid        NOT NULL,
  erased_ts  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, session_id)
);

-- The workspace of a project: files that agents and people change. Postgres is the truth of it; no topic can rebuild it. Whoever
-- changes anything in a project's workspace locks its row first: changes of one project happen one after the other, those of
-- others do not wait. Folders are what paths say: there is one as long as a file is in it.
CREATE TABLE workspace_t (
  host_id    uuid NOT NULL,
  project_id uuid NOT NULL,
  erased_ts  timestamptz, -- nothing is written any more
  PRIMARY KEY (host_id, project_id)
);

-- A file, as it is now. Its path never changes; where it is deleted, the next file of that path is another row.
CREATE TABLE file_t (
  host_id     uuid          NOT NULL,
  project_id  uuid          NOT NULL,
  file_id     uuid          NOT NULL,
  path        varchar(1024) COLLATE "C" NOT NULL CHECK (path LIKE '/_%'), -- ordered by bytes, so that its beginnings are ranges
  mime        varchar(126)  COLLATE "C" NOT NULL, -- the types of a kind are a range, too
  metadata    jsonb         NOT NULL DEFAULT '{}', -- of the newest version
  is_text     boolean       NOT NULL, -- UTF-8 without NUL
  size        bigint        NOT NULL CHECK (size >= 0), -- bytes
  sha256      varchar(64)   NOT NULL,
  version     int           NOT NULL CHECK (version > 0), -- the newest one; that of its deletion where it is deleted
  created_ts  timestamptz   NOT NULL DEFAULT clock_timestamp(),
  deleted_ts  timestamptz,
  update_ts   timestamptz   NOT NULL DEFAULT now(),
  update_user varchar(256)  NOT NULL,
  PRIMARY KEY (host_id, file_id)
);

CREATE UNIQUE INDEX uq_file_path ON file_t (host_id, project_id, path) WHERE deleted_ts IS NULL;
CREATE INDEX idx_files_type ON file_t (host_id, project_id, mime, path) WHERE deleted_ts IS NULL;
CREATE INDEX ix_file_deleted ON file_t (host_id, project_id, path, deleted_ts DESC) WHERE deleted_ts IS NOT NULL;

-- Every version that a file had, and who made it.
--
-- storage_kind: full     content is the text
--               patch    content is a unified diff without context from the version before; base_version is full
--               blob     the bytes are in the blob folder, by sha256
--               deleted  the file was deleted; there are no bytes
CREATE TABLE file_version_t (
  host_id      uuid         NOT NULL,
  project_id   uuid         NOT NULL,
  file_id      uuid         NOT NULL,
  version      int          NOT NULL CHECK (version > 0),
  storage_kind varchar(8)   NOT NULL CHECK (storage_kind IN ('full', 'patch', 'blob', 'deleted')),
  base_version int          NOT NULL CHECK (base_version BETWEEN 1 AND version), -- where reading begins
  content      text,
  mime         varchar(126) NOT NULL,
  metadata     jsonb        NOT NULL DEFAULT '{}', -- texts, numbers and booleans that somebody noted
  is_text      boolean      NOT NULL,
  size         bigint       NOT NULL CHECK (size >= 0),
  sha256       varchar(64),
  author_kind  varchar(6)   NOT NULL CHECK (author_kind IN ('agent', 'user')),
  author       varchar(256) NOT NULL, -- an agent's name, or a user's id
  session_id   uuid,
  turn_id      uuid,
  top_turn_id  uuid,                  -- the turn at the top of the delegation
  step         int,
  call_id      uuid,                  -- the tool call that made it, which makes one version however often it runs
  created_ts   timestamptz  NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (host_id, file_id, version),
  FOREIGN KEY (host_id, file_id) REFERENCES file_t,
  CHECK ((storage_kind IN ('full', 'patch')) = (content IS NOT NULL)),
  CHECK ((storage_kind = 'patch') = (base_version < version)),
  CHECK ((storage_kind = 'deleted') = (sha256 IS NULL))
);

CREATE UNIQUE INDEX uq_file_version_call ON file_version_t (host_id, call_id) WHERE call_id IS NOT NULL;
CREATE INDEX ix_file_version_turn ON file_version_t (host_id, project_id, turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX ix_file_version_top ON file_version_t (host_id, project_id, top_turn_id) WHERE top_turn_id IS NOT NULL;
CREATE INDEX ix_file_version_blob ON file_version_t (sha256) WHERE storage_kind = 'blob';
CREATE INDEX ix_file_version_project ON file_version_t (host_id, project_id); -- what goes with its project

-- What a workspace was at a moment: before a step of a turn that writes, before something is restored, or when somebody wanted it.
-- hash is SHA-256 over a line "path sha256" for each file, ordered by path.
CREATE TABLE snapshot_t (
  host_id     uuid         NOT NULL,
  project_id  uuid         NOT NULL,
  snapshot_id uuid         NOT NULL,
  hash        varchar(64)  NOT NULL,
  file_count  int          NOT NULL CHECK (file_count >= 0),
  reason      varchar(8)   NOT NULL CHECK (reason IN ('step', 'restore', 'user')),
  session_id  uuid,
  turn_id     uuid,
  step        int,
  created_ts  timestamptz  NOT NULL DEFAULT clock_timestamp(),
  update_user varchar(256) NOT NULL,
  PRIMARY KEY (host_id, snapshot_id),
  CHECK ((reason = 'step') = (turn_id IS NOT NULL AND step IS NOT NULL))
);

CREATE UNIQUE INDEX uq_snapshot_step ON snapshot_t (host_id, project_id, turn_id, step) WHERE turn_id IS NOT NULL;
CREATE INDEX ix_snapshot_project ON snapshot_t (host_id, project_id, created_ts DESC, snapshot_id DESC);
CREATE INDEX ix_snapshot_old ON snapshot_t (created_ts) WHERE reason <> 'user';

-- Which version of which file was there.
CREATE TABLE snapshot_file_t (
  host_id     uuid NOT NULL,
  project_id  uuid NOT NULL,
  snapshot_id uuid NOT NULL,
  file_id     uuid NOT NULL,
  version     int  NOT NULL,
  PRIMARY KEY (host_id, snapshot_id, file_id),
  FOREIGN KEY (host_id, snapshot_id) REFERENCES snapshot_t ON DELETE CASCADE
);

CREATE INDEX ix_snapshot_file_project ON snapshot_file_t (host_id, project_id);

-- Turns whose changes of files were taken back, or calls that brought such changes back. files, from_versions and to_versions say
-- which version of a file there was, and which one was made of it.
CREATE TABLE reversion_t (
  host_id       uuid         NOT NULL,
  project_id    uuid         NOT NULL,
  reversion_id  uuid         NOT NULL, -- the call that did it, which does it once
  turns         uuid[]       NOT NULL, -- what they write late is refused
  files         uuid[]       NOT NULL,
  from_versions int[]        NOT NULL,
  to_versions   int[]        NOT NULL,
  result        text         NOT NULL, -- what was said of it
  undone_ts     timestamptz,           -- it was brought back
  created_ts    timestamptz  NOT NULL DEFAULT clock_timestamp(),
  update_user   varchar(256) NOT NULL,
  PRIMARY KEY (host_id, reversion_id),
  CHECK (cardinality(files) = cardinality(from_versions) AND cardinality(files) = cardinality(to_versions))
);

CREATE INDEX ix_reversion_turns ON reversion_t USING gin (turns) WHERE undone_ts IS NULL;
CREATE INDEX ix_reversion_project ON reversion_t (host_id, project_id);
CREATE INDEX ix_reversion_old ON reversion_t (created_ts);

-- A transaction sees and writes the rows of the host that it has set.
ALTER TABLE tool_execution_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tool_execution_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE erased_session_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON erased_session_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE workspace_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON workspace_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE file_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON file_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE file_version_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON file_version_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE snapshot_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON snapshot_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE snapshot_file_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON snapshot_file_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE reversion_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON reversion_t USING (${ofProject}) WITH CHECK (${ofProject});

GRANT USAGE ON SCHEMA tools TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON tool_execution_t, erased_session_t, workspace_t, file_t, file_version_t, snapshot_t,
  snapshot_file_t, reversion_t TO "${appRole}";
