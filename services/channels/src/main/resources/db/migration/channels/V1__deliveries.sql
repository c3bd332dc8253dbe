-- What the channels service keeps: ledgers of what was sent, and what it knows of chats and people. Postgres is the truth of
-- all of it; no topic can rebuild it.

-- A reply that was delivered, or given up: a second record of it is passed over.
CREATE TABLE delivery_t (
  host_id           uuid         NOT NULL,
  reply_id          uuid         NOT NULL,
  bot               varchar(126) NOT NULL,
  chat              varchar(256) NOT NULL,
  state             varchar(10)  NOT NULL CHECK (state IN ('delivered', 'failed')),
  detail            text,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, reply_id)
);
CREATE INDEX ix_delivery_old ON delivery_t (update_ts);
CREATE INDEX ix_delivery_bot ON delivery_t (host_id, bot, update_ts DESC, reply_id);

-- A message of a channel that shows a piece of a reply. A row is inserted before the message is sent. One without a
-- message is in doubt when another instance finds it: perhaps there is one, and nobody knows its id.
CREATE TABLE sent_message_t (
  host_id           uuid         NOT NULL,
  reply_id          uuid         NOT NULL, -- of a reply, or of the turn whose final reply it is going to show
  idx               int          NOT NULL CHECK (idx >= 0),
  bot               varchar(126) NOT NULL,
  chat              varchar(256) NOT NULL,
  message           varchar(126),
  moved_from        uuid,                  -- the turn whose final reply it was going to show, where it shows another reply now
  in_doubt          int          NOT NULL DEFAULT 0,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, reply_id, idx)
);
CREATE INDEX ix_sent_message_old ON sent_message_t (update_ts);
CREATE INDEX ix_sent_message_moved ON sent_message_t (host_id, moved_from) WHERE moved_from IS NOT NULL;

-- A chat that a bot knows: whether it can write there, and whether its sessions have the key of another id that the chat had.
CREATE TABLE chat_t (
  host_id           uuid         NOT NULL,
  bot               varchar(126) NOT NULL,
  chat              varchar(256) NOT NULL,
  writable          boolean      NOT NULL DEFAULT true,
  session_chat      varchar(256),          -- the id that session keys have, where it is another
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bot, chat)
);

-- Which instance owns a bot, and what an operator has to mend before it works.
CREATE TABLE bot_t (
  host_id           uuid         NOT NULL,
  bot               varchar(126) NOT NULL,
  owner             varchar(256) NOT NULL,
  owned_ts          timestamptz  NOT NULL,
  problem           text,
  problem_ts        timestamptz,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bot),
  CHECK ((problem IS NULL) = (problem_ts IS NULL))
);

-- Who may talk to a bot because an operator let them in, and who waits for that with a code.
CREATE TABLE person_t (
  host_id           uuid         NOT NULL,
  bot               varchar(126) NOT NULL,
  user_id           varchar(126) NOT NULL,
  name              varchar(100) NOT NULL,
  state             varchar(10)  NOT NULL CHECK (state IN ('waiting', 'allowed')),
  code_sha256       bytea,
  until             timestamptz,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bot, user_id),
  CHECK ((state = 'waiting') = (code_sha256 IS NOT NULL AND until IS NOT NULL))
);
CREATE INDEX ix_person_waiting ON person_t (host_id, bot, code_sha256) WHERE state = 'waiting';

-- Which account somebody of a channel is, as they have proved on both sides. The digest is that of the code by which they did.
CREATE TABLE channel_link_t (
  host_id           uuid         NOT NULL,
  link_id           uuid         NOT NULL,
  bot               varchar(126) NOT NULL,
  channel_user      varchar(126) NOT NULL,
  name              varchar(100) NOT NULL,
  user_id           uuid         NOT NULL,
  code_sha256       bytea        NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, link_id),
  UNIQUE (host_id, bot, channel_user)
);
CREATE INDEX ix_link_user ON channel_link_t (host_id, user_id);

-- A code by which an account can be linked: one an account, used once.
CREATE TABLE link_code_t (
  host_id           uuid         NOT NULL,
  user_id           uuid         NOT NULL,
  code_sha256       bytea        NOT NULL,
  until             timestamptz  NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, user_id)
);
CREATE UNIQUE INDEX ux_link_code ON link_code_t (host_id, code_sha256);

-- A transaction sees and writes the rows of the host that it has set.
ALTER TABLE delivery_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON delivery_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE sent_message_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sent_message_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE chat_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON chat_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE bot_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON bot_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE person_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON person_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE channel_link_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON channel_link_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE link_code_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON link_code_t USING (${ofHost}) WITH CHECK (${ofHost});

GRANT USAGE ON SCHEMA channels TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON delivery_t, sent_message_t, chat_t, bot_t, person_t, channel_link_t, link_code_t TO "${appRole}";
