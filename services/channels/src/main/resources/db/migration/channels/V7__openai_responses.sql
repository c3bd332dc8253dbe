-- A response of OpenAI's protocol: which model calls of which turn it is, what its client sent, and what it became.
-- It is the source of truth for what the client sent; its turn is that of the topics.
CREATE TABLE openai_response_t (
  host_id           uuid          NOT NULL,
  response_id       uuid          NOT NULL,
  project_id        uuid          NOT NULL,
  session           text          NOT NULL,          -- its key, without the project
  turn_id           uuid          NOT NULL,
  turn_seq          bigint        NOT NULL,          -- number of the turn in its session; 0 where unknown
  first_step        int           NOT NULL,          -- number of its first model call: above 0 after function calls
  user_id           uuid          NOT NULL,          -- who sent it, and may read it
  spent             json,                            -- usage of the turn before it; null for none, or where unknown
  previous_id       uuid,                            -- the response that it continues
  conversation      text,                            -- as the request named it
  request           json          NOT NULL,          -- the request without its input
  input             json,                            -- its input as items; null where it is larger than 1 MiB
  context           varchar(64)   NOT NULL,          -- digest of the conversation up to its input
  result            json,                            -- the response at its end; null until then
  pieces            json,                            -- lengths of the pieces of its texts, as they were streamed
  created_ts        timestamptz   NOT NULL DEFAULT now(),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, response_id)
);
CREATE INDEX ix_openai_response_session ON openai_response_t (host_id, project_id, session);
CREATE INDEX ix_openai_response_old ON openai_response_t (created_ts);

-- A function call that was handed to a client, so that its result finds its turn on any instance.
CREATE TABLE openai_call_t (
  host_id           uuid          NOT NULL,
  call_id           uuid          NOT NULL,
  project_id        uuid          NOT NULL,
  session           text          NOT NULL,          -- its key, without the project
  turn_id           uuid          NOT NULL,
  step              int           NOT NULL,          -- number of the model call that made it
  usage             json,                            -- of the turn up to it; null where it is unknown
  created_ts        timestamptz   NOT NULL DEFAULT now(),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, call_id)
);
CREATE INDEX ix_openai_call_session ON openai_call_t (host_id, project_id, session);
CREATE INDEX ix_openai_call_old ON openai_call_t (created_ts);

ALTER TABLE openai_response_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON openai_response_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE openai_call_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON openai_call_t USING (${ofProject}) WITH CHECK (${ofProject});
GRANT SELECT, INSERT, UPDATE, DELETE ON openai_response_t, openai_call_t TO "${appRole}";

-- A conversation of OpenAI's protocol. Its items are what its client sent and was answered.
CREATE TABLE openai_conversation_t (
  host_id           uuid          NOT NULL,
  conversation_id   uuid          NOT NULL,
  project_id        uuid          NOT NULL,
  user_id           uuid          NOT NULL,          -- who made it, and may use it
  session           text,                            -- key of the session that knows all items; null where none does
  metadata          json          NOT NULL,
  created_ts        timestamptz   NOT NULL DEFAULT now(),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, conversation_id)
);
CREATE INDEX ix_openai_conversation_session ON openai_conversation_t (host_id, project_id, session);
CREATE INDEX ix_openai_conversation_user ON openai_conversation_t (host_id, user_id);

-- An item of a conversation, in the order in which it was added.
CREATE TABLE openai_item_t (
  host_id           uuid          NOT NULL,
  conversation_id   uuid          NOT NULL,
  item_id           varchar(64)   NOT NULL,
  project_id        uuid          NOT NULL,
  position          bigint        NOT NULL GENERATED ALWAYS AS IDENTITY,
  item              json          NOT NULL,
  created_ts        timestamptz   NOT NULL DEFAULT now(),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, conversation_id, item_id),
  FOREIGN KEY (host_id, conversation_id) REFERENCES openai_conversation_t ON DELETE CASCADE
);

ALTER TABLE openai_conversation_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON openai_conversation_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE openai_item_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON openai_item_t USING (${ofProject}) WITH CHECK (${ofProject});
GRANT SELECT, INSERT, UPDATE, DELETE ON openai_conversation_t, openai_item_t TO "${appRole}";
