-- What the sessions service keeps.
--
-- Views: what turn-events say, written by the projector alone; dropped and rebuilt to equal rows by a replay.
--   host_t, project_t, agent_session_t, agent_turn_t, model_call_t, agent_message_t, agent_message_part_t, tool_call_t,
--   session_event_t, todo_t, agent_session_history_t, and projection_offset_t, which says how far they are.
-- Records: Postgres is the truth; a replay leaves them alone.
--   session_slug_t, session_share_t.
-- Ledgers: none.
--
-- Every primary and foreign key begins with the host, and every foreign key below a project names the project and the
-- session as well, so that no row can point into another host, project or session. In the views, aggregate_version is
-- the number of the event that last touched the row, update_ts that event's time.

CREATE TABLE host_t (
  host_id           uuid         NOT NULL,
  name              varchar(126) NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 0,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT 'epoch',
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id)
);

CREATE TABLE project_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  project_id        uuid         NOT NULL,
  project_key       varchar(64)  NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 0,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT 'epoch',
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, project_id)
);

-- The host and the project of an installation that has made none; the ids follow from their names. The projector adds
-- further ones, in the same words, when an event names one that it has not seen.
INSERT INTO host_t (host_id, name) VALUES ('15245535-bb7c-589f-86c2-8a7634aee196', 'default');
INSERT INTO project_t (host_id, project_id, project_key)
VALUES ('15245535-bb7c-589f-86c2-8a7634aee196', '23e4e583-1eb6-5788-89ca-7c651ccf0b37', 'default');

-- One row an epoch of a session key. The parent has no foreign key: it stands in another partition, whose events may be
-- projected later.
CREATE TABLE agent_session_t (
  host_id                  uuid          NOT NULL,
  project_id               uuid          NOT NULL,
  session_id               uuid          NOT NULL,
  session_key              varchar(512)  NOT NULL,
  epoch                    bigint        NOT NULL CHECK (epoch >= 0),
  slug                     varchar(160)  NOT NULL,
  parent_session_id        uuid,
  forked_from_turn         uuid,
  depth                    smallint      NOT NULL DEFAULT 0 CHECK (depth BETWEEN 0 AND 3),
  channel                  varchar(64)   NOT NULL,
  channel_id               varchar(256),
  user_id                  varchar(256),
  agent                    varchar(126)  NOT NULL,
  bank_id                  uuid,                 -- that remembers its last turn which one remembers
  title                    varchar(300)  NOT NULL,
  title_given              boolean       NOT NULL,
  status                   varchar(10)   NOT NULL CHECK (status IN ('active', 'archived', 'deleted')),
  settings                 jsonb,
  permissions       jsonb,                       -- its own rules about tool calls
  provider_id              varchar(64),
  model_id                 varchar(126),
  summary                  text,
  summary_up_to            bigint,                 -- turn_seq
  next_turn_seq            bigint        NOT NULL DEFAULT 1,
  active_turn_id           uuid,
  message_count            int           NOT NULL DEFAULT 0,
  total_cost               numeric(20,9) NOT NULL DEFAULT 0,
  unpriced_count           int           NOT NULL DEFAULT 0, -- messages whose price is not known: total_cost lacks them
  total_tokens_input       bigint        NOT NULL DEFAULT 0,
  total_tokens_output      bigint        NOT NULL DEFAULT 0,
  total_tokens_reasoning   bigint        NOT NULL DEFAULT 0,
  total_tokens_cache_read  bigint        NOT NULL DEFAULT 0,
  total_tokens_cache_write bigint        NOT NULL DEFAULT 0,
  created_ts               timestamptz   NOT NULL,
  archived_ts              timestamptz,
  aggregate_version        bigint        NOT NULL,
  active                   boolean       NOT NULL GENERATED ALWAYS AS (status <> 'deleted') STORED,
  update_ts                timestamptz   NOT NULL,
  update_user              varchar(256)  NOT NULL,
  PRIMARY KEY (host_id, session_id),
  UNIQUE (host_id, project_id, session_id),
  UNIQUE (host_id, project_id, session_key, epoch),
  UNIQUE (host_id, project_id, slug),
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE RESTRICT,
  CHECK ((status = 'archived') = (archived_ts IS NOT NULL))
);
CREATE UNIQUE INDEX ux_session_key ON agent_session_t (host_id, project_id, session_key) WHERE status = 'active';
CREATE INDEX idx_sessions_status ON agent_session_t (host_id, project_id, status, created_ts DESC, session_id DESC)
  WHERE parent_session_id IS NULL;
CREATE INDEX idx_sessions_created ON agent_session_t (host_id, project_id, created_ts DESC, session_id DESC)
  WHERE parent_session_id IS NULL;
CREATE INDEX idx_sessions_user ON agent_session_t (host_id, user_id, project_id, created_ts DESC, session_id DESC)
  WHERE user_id IS NOT NULL;
CREATE INDEX idx_sessions_parent ON agent_session_t (host_id, project_id, parent_session_id, created_ts DESC, session_id DESC)
  WHERE parent_session_id IS NOT NULL;

-- start_position is the number of the event that started the turn: turns enter the model's context in that order.
CREATE TABLE agent_turn_t (
  host_id            uuid          NOT NULL,
  project_id         uuid          NOT NULL,
  session_id         uuid          NOT NULL,
  turn_id            uuid          NOT NULL,
  turn_seq           bigint        NOT NULL CHECK (turn_seq > 0),
  origin             varchar(16)   NOT NULL CHECK (origin IN ('channel', 'api', 'workflow', 'schedule', 'delegate')),
  origin_ref         varchar(512)  NOT NULL,
  mode               varchar(16)   NOT NULL CHECK (mode IN ('followup', 'steer', 'collect', 'interrupt', 'reject')),
  agent              varchar(126)  NOT NULL,
  agent_version      varchar(64),
  user_id            varchar(256),
  user_message       text          NOT NULL,
  reply              text,
  state              varchar(24)   NOT NULL CHECK (state IN ('QUEUED', 'RUNNING_MODEL', 'WAITING_TOOL', 'WAITING_APPROVAL',
                                     'WAITING_CHILD', 'WAITING_HISTORY', 'COMPLETED', 'FAILED', 'CANCELLED')),
  finish_reason      varchar(24)   CHECK (finish_reason IN ('stop', 'tool-calls', 'length', 'error', 'content-filter',
                                     'cancelled', 'unknown')),
  error_type         varchar(32),
  error_message      text,                       -- fit for a chat
  error_detail       text,                       -- for operators
  provider_id        varchar(64),
  model_id           varchar(126),
  guardrails         jsonb,                      -- [{stage, step, guardrail, action, reason, at}], what they did
  message_count      int           NOT NULL DEFAULT 0,
  open_tools         int           NOT NULL DEFAULT 0 CHECK (open_tools >= 0),
  open_approvals     int           NOT NULL DEFAULT 0 CHECK (open_approvals >= 0),
  open_children      int           NOT NULL DEFAULT 0 CHECK (open_children >= 0),
  tokens_input       bigint        NOT NULL DEFAULT 0,
  tokens_output      bigint        NOT NULL DEFAULT 0,
  tokens_reasoning   bigint        NOT NULL DEFAULT 0,
  tokens_cache_read  bigint        NOT NULL DEFAULT 0,
  tokens_cache_write bigint        NOT NULL DEFAULT 0,
  cost               numeric(20,9) DEFAULT 0,    -- null where the price of a call is not known
  start_position     bigint,
  created_ts         timestamptz   NOT NULL,
  started_ts         timestamptz,
  completed_ts       timestamptz,
  aggregate_version  bigint        NOT NULL,
  active             boolean       NOT NULL DEFAULT true,
  update_ts          timestamptz   NOT NULL,
  update_user        varchar(256)  NOT NULL,
  PRIMARY KEY (host_id, turn_id),
  UNIQUE (host_id, project_id, session_id, turn_id),
  UNIQUE (host_id, session_id, turn_seq),
  UNIQUE (host_id, session_id, origin, origin_ref),
  FOREIGN KEY (host_id, project_id, session_id) REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE,
  CHECK ((state IN ('COMPLETED', 'FAILED', 'CANCELLED')) = (completed_ts IS NOT NULL))
);
CREATE INDEX idx_turns_open ON agent_turn_t (host_id, project_id) WHERE completed_ts IS NULL;
CREATE INDEX idx_turns_created ON agent_turn_t (host_id, project_id, created_ts DESC, turn_id DESC);

-- Each answer and each failure of a model, append-only; response_raw is the provider's response byte for byte.
CREATE TABLE model_call_t (
  host_id            uuid          NOT NULL,
  project_id         uuid          NOT NULL,
  session_id         uuid          NOT NULL,
  call_id            uuid          NOT NULL,
  attempt            int           NOT NULL CHECK (attempt > 0),
  turn_id            uuid,                       -- null for a summary
  purpose            varchar(10)   NOT NULL CHECK (purpose IN ('reply', 'summary', 'transcript')),
  step               int           NOT NULL,
  provider_id        varchar(64),
  model_id           varchar(126),
  response_raw       text,
  response_sha256    bytea,
  finish_reason      varchar(24)   NOT NULL CHECK (finish_reason IN ('stop', 'tool-calls', 'length', 'error',
                                     'content-filter', 'cancelled', 'unknown')),
  error_type         varchar(32),
  error_detail       text,
  tokens_input       bigint,
  tokens_output      bigint,
  tokens_reasoning   bigint,
  tokens_cache_read  bigint,
  tokens_cache_write bigint,
  cost               numeric(20,9),
  payer              varchar(10)   CHECK (payer IN ('agent', 'user', 'host', 'operator')),
  credential_id      uuid,                       -- where the payer's key is one that is kept
  completed_ts       timestamptz   NOT NULL,
  aggregate_version  bigint        NOT NULL,
  PRIMARY KEY (host_id, call_id, attempt),
  FOREIGN KEY (host_id, project_id, session_id) REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE,
  FOREIGN KEY (host_id, project_id, session_id, turn_id)
    REFERENCES agent_turn_t (host_id, project_id, session_id, turn_id) ON DELETE CASCADE
);
CREATE INDEX idx_calls_session ON model_call_t (host_id, project_id, session_id, turn_id);
CREATE INDEX idx_calls_completed ON model_call_t (host_id, project_id, completed_ts);

-- (position, seq) is the order of a session's messages: the event that made the message, and its number inside the turn
-- (or inside the piece of a fork's context, which has no turn here).
CREATE TABLE agent_message_t (
  host_id            uuid          NOT NULL,
  project_id         uuid          NOT NULL,
  session_id         uuid          NOT NULL,
  message_id         uuid          NOT NULL,
  turn_id            uuid,
  seq                int           NOT NULL CHECK (seq >= -1), -- -1: the agent's instructions, where they are new to the session
  position           bigint        NOT NULL,
  role               varchar(10)   NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
  parent_id          uuid,                       -- the user message that an assistant message answers, of the same turn
  agent              varchar(126),
  provider_id        varchar(64),
  model_id           varchar(126),
  interrupted        boolean       NOT NULL DEFAULT false,
  finish_reason      varchar(24)   CHECK (finish_reason IN ('stop', 'tool-calls', 'length', 'error', 'content-filter',
                                     'cancelled', 'unknown')),
  error_type         varchar(32),
  error_message      text,
  answered           boolean       NOT NULL DEFAULT true,  -- false while, and where, no model answered
  part_count         int           NOT NULL DEFAULT 0,
  open_tools         int           NOT NULL DEFAULT 0 CHECK (open_tools >= 0),
  tokens_input       bigint        NOT NULL DEFAULT 0,
  tokens_output      bigint        NOT NULL DEFAULT 0,
  tokens_reasoning   bigint        NOT NULL DEFAULT 0,
  tokens_cache_read  bigint        NOT NULL DEFAULT 0,
  tokens_cache_write bigint        NOT NULL DEFAULT 0,
  cost               numeric(20,9),              -- frozen; null where nothing was billed or the price is not known
  cost_known         boolean       NOT NULL DEFAULT true,
  created_ts         timestamptz   NOT NULL,
  completed_ts       timestamptz,
  aggregate_version  bigint        NOT NULL,
  active             boolean       NOT NULL DEFAULT true,
  update_ts          timestamptz   NOT NULL,
  update_user        varchar(256)  NOT NULL,
  PRIMARY KEY (host_id, message_id),
  UNIQUE (host_id, project_id, session_id, message_id),
  UNIQUE (host_id, turn_id, seq),
  FOREIGN KEY (host_id, project_id, session_id) REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE,
  FOREIGN KEY (host_id, project_id, session_id, turn_id)
    REFERENCES agent_turn_t (host_id, project_id, session_id, turn_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_messages_session ON agent_message_t (host_id, session_id, position, seq);

-- content is a copy to be queried; raw is the provider's own item, as text, to be sent back as it came. search_text is
-- what is to be found, with accents and case folded.
CREATE TABLE agent_message_part_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  session_id        uuid         NOT NULL,
  part_id           uuid         NOT NULL,
  message_id        uuid         NOT NULL,
  idx               int          NOT NULL CHECK (idx >= 0),
  kind              varchar(12)  NOT NULL CHECK (kind IN ('text', 'reasoning', 'tool', 'file', 'step-start', 'step-finish',
                                   'patch', 'raw')),
  item_type         varchar(64),
  content           jsonb        NOT NULL,
  raw               text,
  raw_provider      varchar(64),
  tool_name         varchar(126),
  tool_call_id      varchar(256),
  tool_status       varchar(10)  CHECK (tool_status IN ('pending', 'running', 'completed', 'error')),
  executed_by       varchar(10)  CHECK (executed_by IN ('parley', 'provider')),
  search_text       text,
  search            tsvector     GENERATED ALWAYS AS (to_tsvector('simple', search_text)) STORED,
  created_ts        timestamptz  NOT NULL,
  aggregate_version bigint       NOT NULL,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL,
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, project_id, session_id, part_id), -- parts of a session are neighbours in it
  FOREIGN KEY (host_id, project_id, session_id, message_id)
    REFERENCES agent_message_t (host_id, project_id, session_id, message_id) ON DELETE CASCADE,
  CHECK ((kind = 'tool') = (tool_status IS NOT NULL)),
  CHECK ((kind = 'tool') = (executed_by IS NOT NULL)),
  CHECK (kind <> 'raw' OR raw IS NOT NULL)
);
CREATE UNIQUE INDEX idx_parts_message ON agent_message_part_t (host_id, message_id, idx);
CREATE INDEX idx_parts_tool ON agent_message_part_t (host_id, project_id, tool_name, created_ts DESC, part_id DESC)
  WHERE kind = 'tool';
CREATE INDEX idx_parts_search ON agent_message_part_t USING gin (search) WHERE search_text IS NOT NULL;

-- A call that Parley carries out; those that a provider runs stand in their part alone.
CREATE TABLE tool_call_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  session_id        uuid         NOT NULL,
  call_id           uuid         NOT NULL,
  turn_id           uuid         NOT NULL,
  part_id           uuid         NOT NULL,
  step              int          NOT NULL,
  idx               int          NOT NULL,
  attempt           int          NOT NULL CHECK (attempt > 0),
  tool_name         varchar(126) NOT NULL,
  child_key         varchar(600),                -- the session of the agent that carries it out
  status            varchar(10)  NOT NULL CHECK (status IN ('running', 'completed', 'error')),
  unknown           boolean      NOT NULL DEFAULT false, -- ended in error without a word whether it was carried out
  subject           text,                        -- what it is about, one value a line, as rules saw it
  permission        varchar(5)   CHECK (permission IN ('allow', 'ask', 'deny')),
  rule_id           uuid,                        -- the rule that decided
  approval_id       uuid,                        -- the question that a person was asked
  approval          varchar(10)  CHECK (approval IN ('asked', 'once', 'session', 'project', 'host', 'reject', 'expired', 'withdrawn')),
  approval_reason   text,
  approval_until_ts timestamptz,
  approval_user     varchar(256),                -- who answered
  created_ts        timestamptz  NOT NULL,
  completed_ts      timestamptz,
  aggregate_version bigint       NOT NULL,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL,
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, call_id),
  FOREIGN KEY (host_id, project_id, session_id, turn_id)
    REFERENCES agent_turn_t (host_id, project_id, session_id, turn_id) ON DELETE CASCADE,
  FOREIGN KEY (host_id, project_id, session_id, part_id)
    REFERENCES agent_message_part_t (host_id, project_id, session_id, part_id) ON DELETE CASCADE,
  CHECK ((status = 'running') = (completed_ts IS NULL)),
  CHECK ((approval_id IS NULL) = (approval IS NULL)),
  CHECK (approval IS DISTINCT FROM 'asked' OR status = 'running')
);
CREATE INDEX idx_tool_calls_asked ON tool_call_t (host_id, project_id, created_ts, call_id) WHERE approval = 'asked';
CREATE INDEX idx_tool_calls_turn ON tool_call_t (host_id, turn_id, step, idx);
CREATE INDEX idx_tool_calls_part ON tool_call_t (host_id, project_id, session_id, part_id);

-- What changed the model's context besides messages, append-only.
CREATE TABLE session_event_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  session_id        uuid         NOT NULL,
  seq               bigint       NOT NULL,
  kind              varchar(10)  NOT NULL CHECK (kind IN ('clear', 'forget', 'mark', 'rewind', 'undo', 'revert', 'unrevert', 'seed', 'summary')),
  label             text,                        -- the mark's name, or the summary
  turn_seq          bigint,                      -- the last turn that the summary covers, or the first one that was taken back
  since             bigint,                      -- what was brought back: all that was taken back from this event on
  created_ts        timestamptz  NOT NULL,
  aggregate_version bigint       NOT NULL,
  PRIMARY KEY (host_id, session_id, seq),
  FOREIGN KEY (host_id, project_id, session_id) REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE
);

CREATE INDEX idx_session_events_revert ON session_event_t (host_id, session_id, seq) WHERE kind IN ('revert', 'unrevert');

-- Every file that an event of the session named, also of messages that were replaced before their turn began.
CREATE TABLE session_file_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  session_id        uuid         NOT NULL,
  sha256            varchar(64)  NOT NULL,
  aggregate_version bigint       NOT NULL,
  PRIMARY KEY (host_id, session_id, sha256),
  FOREIGN KEY (host_id, project_id, session_id) REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE
);
CREATE INDEX idx_session_files ON session_file_t (sha256);
CREATE INDEX idx_session_files_session ON session_file_t (host_id, project_id, session_id);

-- What the agent does, in order, as it wrote it down last. A new list takes the place of the one before, whole.
CREATE TABLE todo_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  session_id        uuid         NOT NULL,
  position          int          NOT NULL CHECK (position BETWEEN 0 AND 99),
  content           varchar(500) NOT NULL,
  active_form       varchar(500) NOT NULL,       -- the content while it is being done
  status            varchar(11)  NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed')),
  aggregate_version bigint       NOT NULL,
  update_ts         timestamptz  NOT NULL,
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, session_id, position),
  FOREIGN KEY (host_id, project_id, session_id) REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE
);
CREATE INDEX idx_todos_session ON todo_t (host_id, project_id, session_id);
CREATE UNIQUE INDEX idx_todos_active ON todo_t (host_id, session_id) WHERE status = 'in_progress';

-- The conversation of the turns that have ended, compact and bounded; made of the tables above.
CREATE TABLE agent_session_history_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  bank_id           uuid,
  session_id        uuid         NOT NULL,
  messages          jsonb        NOT NULL,
  metadata          jsonb        NOT NULL,
  aggregate_version bigint       NOT NULL,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL,
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, session_id),
  FOREIGN KEY (host_id, project_id, session_id) REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_session_bank ON agent_session_history_t (host_id, project_id, session_id, bank_id);

-- The rows of a conversation are written a few times while it goes on: room in their pages lets Postgres leave the
-- indexes alone. No plan depends on what texts and documents say, and sampling them costs more than all other columns.
ALTER TABLE agent_session_t SET (fillfactor = 50, autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE agent_turn_t SET (fillfactor = 80, autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE agent_message_t SET (fillfactor = 80, autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE agent_message_part_t SET (fillfactor = 90, autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE tool_call_t SET (fillfactor = 80, autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE model_call_t SET (autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE agent_session_history_t SET (fillfactor = 50, autovacuum_analyze_scale_factor = 0.5);
ALTER TABLE agent_session_t ALTER summary SET STATISTICS 0;
ALTER TABLE agent_turn_t ALTER user_message SET STATISTICS 0, ALTER reply SET STATISTICS 0, ALTER error_detail SET STATISTICS 0;
ALTER TABLE agent_message_part_t ALTER content SET STATISTICS 0, ALTER raw SET STATISTICS 0, ALTER search_text SET STATISTICS 0;
ALTER TABLE model_call_t ALTER response_raw SET STATISTICS 0, ALTER response_sha256 SET STATISTICS 0;
ALTER TABLE agent_session_history_t ALTER messages SET STATISTICS 0, ALTER metadata SET STATISTICS 0;

-- How far the views are: the next offset to be projected. It moves in the transaction that writes the rows.
CREATE TABLE projection_offset_t (
  topic     varchar(249) NOT NULL,
  partition int          NOT NULL,
  "offset"  bigint       NOT NULL CHECK ("offset" >= 0),
  PRIMARY KEY (topic, partition)
);

-- Record. Which slug a session was given: who came first cannot be known again from topics that are read in parallel.
-- It refers to no view, so that views can be dropped.
CREATE TABLE session_slug_t (
  host_id    uuid         NOT NULL,
  project_id uuid         NOT NULL,
  slug       varchar(160) NOT NULL,
  base       varchar(120) NOT NULL,
  n          int          NOT NULL CHECK (n > 0),
  session_id uuid         NOT NULL,
  PRIMARY KEY (host_id, project_id, slug),
  UNIQUE (host_id, session_id)
);
CREATE INDEX idx_slugs_base ON session_slug_t (host_id, project_id, base, n DESC);

-- Record. What is erased, and how far that is: the receipt. A person's and a project's consist of those of their sessions.
--
-- state: asked    the session has been told, or is going to be; of a person or a project: its sessions are looked for
--        removed  the views have nothing of it any more; log, files and other services follow
--        done     nothing is left but what the log of topics holds until log_clean_ts
CREATE TABLE erasure_t (
  host_id           uuid         NOT NULL,
  erasure_id        uuid         NOT NULL,
  parent_id         uuid,                    -- the erasure that this one is part of
  project_id        uuid,
  kind              varchar(10)  NOT NULL CHECK (kind IN ('session', 'user', 'project', 'agent')),
  subject           varchar(600) NOT NULL,   -- record key, id of the user, key of the project, or name of the agent
  state             varchar(10)  NOT NULL CHECK (state IN ('asked', 'removed', 'done')),
  seq               bigint,                  -- number of the event that says so; the key's events before it go
  epoch             bigint,                  -- the last of the key's epochs that goes
  sessions          bigint       NOT NULL DEFAULT 0,
  messages          bigint       NOT NULL DEFAULT 0,
  events            bigint       NOT NULL DEFAULT 0,
  files             bigint       NOT NULL DEFAULT 0,
  requested_by      varchar(256),
  requested_ts      timestamptz  NOT NULL,
  done_ts           timestamptz,
  log_clean_ts      timestamptz,
  attempts          int          NOT NULL DEFAULT 0,
  next_ts           timestamptz  NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, erasure_id),
  CHECK ((state = 'done') = (done_ts IS NOT NULL AND log_clean_ts IS NOT NULL))
);
CREATE INDEX ix_erasure_open ON erasure_t (next_ts) WHERE state <> 'done';
CREATE INDEX ix_erasure_parent ON erasure_t (host_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX ix_erasure_time ON erasure_t (host_id, requested_ts DESC, erasure_id DESC) WHERE parent_id IS NULL;

-- Record. Files that erased sessions named; they go when nobody else names them.
CREATE TABLE erasure_blob_t (
  host_id           uuid         NOT NULL,
  erasure_id        uuid         NOT NULL,
  sha256            varchar(64)  NOT NULL,
  PRIMARY KEY (host_id, erasure_id, sha256)
);

-- Record. Which other services have removed what they kept.
CREATE TABLE erasure_service_t (
  host_id           uuid         NOT NULL,
  erasure_id        uuid         NOT NULL,
  service           varchar(32)  NOT NULL,
  removed           bigint       NOT NULL,
  done_ts           timestamptz  NOT NULL,
  PRIMARY KEY (host_id, erasure_id, service)
);

-- Record. A link by which anybody may read one session, without its secret. It refers to no view, either. A link that was
-- revoked stays, so that it can be said who made it and who revoked it.
CREATE TABLE session_share_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  share_id          uuid         NOT NULL,
  project_key       varchar(64)  NOT NULL,
  session_id        uuid         NOT NULL,
  user_id           uuid         NOT NULL,     -- who made it: it shows no more than this one may show
  token_prefix      varchar(16)  NOT NULL,
  token_hash        bytea        NOT NULL CHECK (octet_length(token_hash) = 32),
  show_reasoning    boolean      NOT NULL,
  show_tool_outputs boolean      NOT NULL,
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  expires_ts        timestamptz  NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true, -- false: it was revoked
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, share_id),
  UNIQUE (token_prefix)
);
CREATE INDEX idx_shares_session ON session_share_t (host_id, project_id, session_id, created_ts DESC) WHERE active;

-- A transaction sees and writes the rows of the host, and of the project, that it has set.
ALTER TABLE host_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON host_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE project_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON project_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_session_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_session_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_turn_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_turn_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE model_call_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON model_call_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_message_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_message_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_message_part_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_message_part_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE tool_call_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tool_call_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE session_event_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_event_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE session_file_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_file_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE todo_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON todo_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_session_history_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_session_history_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE session_slug_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_slug_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE erasure_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON erasure_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE erasure_blob_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON erasure_blob_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE erasure_service_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON erasure_service_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE session_share_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON session_share_t USING (${ofProject}) WITH CHECK (${ofProject});

-- Whoever shows a link says neither host nor project: this is the one way to find them, one link at a time.
CREATE FUNCTION share_of(prefix text) RETURNS SETOF session_share_t LANGUAGE plpgsql AS $$
DECLARE
  host text := coalesce(current_setting('app.host', true), '');
BEGIN
  PERFORM set_config('app.host', '*', true);
  RETURN QUERY SELECT * FROM sessions.session_share_t WHERE token_prefix = prefix AND active;
  PERFORM set_config('app.host', host, true);
END $$;
REVOKE ALL ON FUNCTION share_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION share_of TO "${appRole}";

GRANT USAGE ON SCHEMA sessions TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON
  host_t, project_t, agent_session_t, agent_turn_t, model_call_t, agent_message_t, agent_message_part_t, tool_call_t,
  session_event_t, session_file_t, todo_t, agent_session_history_t TO "${appRole}";
GRANT SELECT, INSERT, UPDATE ON projection_offset_t TO "${appRole}";
GRANT SELECT, INSERT, DELETE ON session_slug_t TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON erasure_t, erasure_service_t TO "${appRole}";
GRANT SELECT, INSERT, DELETE ON erasure_blob_t TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON session_share_t TO "${appRole}";

-- A turn as a pair: what was asked, and the whole response that answered it last, as it came from the provider.
CREATE VIEW turn_v WITH (security_invoker = true) AS
SELECT t.host_id, t.project_id, t.turn_id, t.turn_seq AS id, s.session_key AS session_id, s.epoch, t.user_message,
  c.response_raw AS response_json, t.provider_id || '/' || t.model_id AS model, t.created_ts AS created_at
FROM agent_turn_t t
JOIN agent_session_t s ON s.host_id = t.host_id AND s.project_id = t.project_id AND s.session_id = t.session_id
LEFT JOIN LATERAL (
  SELECT response_raw FROM model_call_t c
  WHERE c.host_id = t.host_id AND c.project_id = t.project_id AND c.session_id = t.session_id AND c.turn_id = t.turn_id
    AND c.purpose = 'reply' AND c.response_raw IS NOT NULL
  ORDER BY c.step DESC, c.attempt DESC LIMIT 1) c ON true
WHERE t.completed_ts IS NOT NULL;
GRANT SELECT ON turn_v TO "${appRole}";
