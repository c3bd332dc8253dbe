-- What the control service keeps: records, of which Postgres is the truth. What other services need of them stands on the
-- topics `access` and `definitions`: a trigger marks in outbox_t what changed, and the publisher sends it as it is by then.
--
-- Every key begins with the host. A user is one person for all hosts (user_t) and is in those that user_host_t names.
-- aggregate_version is 1 for a new row and grows by one with every change.
--
-- app.host, app.project and app.user say for whom a transaction works: '*' is for all, nothing is for nobody.

CREATE TABLE host_t (
  host_id           uuid         PRIMARY KEY,
  host_key          varchar(64)  NOT NULL UNIQUE CHECK (host_key ~ '^[a-z0-9][a-z0-9-]*$'),
  name              varchar(126) NOT NULL,
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL
);

-- password_hash is bcrypt's, null for those who sign in elsewhere. Names and addresses are one, whatever their case:
-- the _key columns are for that, for policies keep a function such as lower() from an index.
CREATE TABLE user_t (
  user_id           uuid         PRIMARY KEY,
  username          varchar(64)  NOT NULL CHECK (username ~ '^[A-Za-z0-9][A-Za-z0-9._-]*$'),
  username_key      varchar(64)  NOT NULL GENERATED ALWAYS AS (lower(username)) STORED,
  email             varchar(254),
  email_key         varchar(254) GENERATED ALWAYS AS (lower(email)) STORED,
  email_proved_ts   timestamptz,               -- when they showed that they read its mail, or null
  password_hash     varchar(72)  CHECK (password_hash ~ '^\$2[aby]\$'),
  avatar_url        varchar(2048),
  preferences       jsonb        NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(preferences) = 'object'),
  time_zone         varchar(64),
  language          varchar(35),
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  last_login_ts     timestamptz,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL
);
CREATE UNIQUE INDEX idx_users_username ON user_t (username_key);
CREATE UNIQUE INDEX idx_users_email ON user_t (email_key) WHERE email_key IS NOT NULL;

CREATE TABLE user_host_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  user_id           uuid         NOT NULL REFERENCES user_t ON DELETE CASCADE,
  role              varchar(10)  NOT NULL CHECK (role IN ('admin', 'user')),
  erasure_id        uuid,                      -- under which all that was theirs is erased, or null
  joined_ts         timestamptz  NOT NULL DEFAULT now(),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, user_id)
);
CREATE INDEX idx_user_host_user ON user_host_t (user_id);

-- Who somebody is at another provider of identities.
CREATE TABLE auth_identity_t (
  provider          varchar(64)  NOT NULL,
  subject           varchar(256) NOT NULL,
  user_id           uuid         NOT NULL REFERENCES user_t ON DELETE CASCADE,
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, subject)
);
CREATE INDEX idx_identities_user ON auth_identity_t (user_id);

-- Who is signed in. Only digests of the tokens are kept; the refresh token is used once and then another. The first part of all
-- refresh tokens of a sign-in is the same, so that one of long ago is known as such.
CREATE TABLE auth_session_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  auth_session_id   uuid         NOT NULL,
  user_id           uuid         NOT NULL,
  token_prefix      varchar(16)  NOT NULL UNIQUE,
  token_hash        bytea        NOT NULL CHECK (length(token_hash) = 32),
  expires_ts        timestamptz  NOT NULL,
  refresh_hash      bytea        NOT NULL UNIQUE CHECK (length(refresh_hash) = 32),
  refresh_family    bytea        NOT NULL UNIQUE CHECK (length(refresh_family) = 32),
  refreshed_ts      timestamptz,               -- when the last refresh token was used
  refresh_used_hash bytea,                     -- and which that was
  refresh_until_ts  timestamptz  NOT NULL,
  method            varchar(64)  NOT NULL,
  address           varchar(64),
  user_agent        varchar(256),
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  PRIMARY KEY (host_id, auth_session_id),
  FOREIGN KEY (host_id, user_id) REFERENCES user_host_t ON DELETE CASCADE
);
CREATE INDEX idx_auth_sessions_user ON auth_session_t (host_id, user_id);
CREATE INDEX idx_auth_sessions_until ON auth_session_t (refresh_until_ts);

-- Codes that are good once and for a short time: sent by e-mail, handed over where a sign-in elsewhere ends, or by an administrator. Only digests
-- are kept. method: how somebody proved who they are.
CREATE TABLE one_time_code_t (
  code_hash         bytea        PRIMARY KEY CHECK (length(code_hash) = 32),
  purpose           varchar(16)  NOT NULL CHECK (purpose IN ('email', 'redirect', 'administrator')),
  method            varchar(64)  NOT NULL,
  user_id           uuid         NOT NULL REFERENCES user_t ON DELETE CASCADE,
  expires_ts        timestamptz  NOT NULL,
  created_ts        timestamptz  NOT NULL DEFAULT now()
);
CREATE INDEX idx_codes_user ON one_time_code_t (user_id);
CREATE INDEX idx_codes_expires ON one_time_code_t (expires_ts);

-- Sign-ins that were begun at another provider of identities, until their answer comes, which is taken once. browser_hash is
-- the digest of what the browser keeps; user_id is who links an identity, null where somebody signs in.
CREATE TABLE identity_request_t (
  state_hash        bytea        PRIMARY KEY CHECK (length(state_hash) = 32),
  browser_hash      bytea        NOT NULL CHECK (length(browser_hash) = 32),
  provider          varchar(64)  NOT NULL,
  nonce             varchar(128) NOT NULL,
  verifier          varchar(128) NOT NULL,
  redirect          varchar(2048),
  user_id           uuid         REFERENCES user_t ON DELETE CASCADE,
  expires_ts        timestamptz  NOT NULL
);
CREATE INDEX idx_identity_requests_user ON identity_request_t (user_id);
CREATE INDEX idx_identity_requests_expires ON identity_request_t (expires_ts);

-- Failed attempts to sign in, by what they have in common: a digest of the name, or of the address they come from. Also what
-- may be done only so often: then failures counts it, and until_ts is when counting begins anew.
CREATE TABLE auth_attempt_t (
  subject           bytea        PRIMARY KEY CHECK (length(subject) = 32),
  failures          int          NOT NULL,
  until_ts          timestamptz  NOT NULL
);
CREATE INDEX idx_attempts_until ON auth_attempt_t (until_ts);

-- project_key is the first part of all record keys, so it is one for all hosts.
CREATE TABLE project_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  project_id        uuid         NOT NULL,
  project_key       varchar(64)  NOT NULL UNIQUE,
  name              varchar(126) NOT NULL CHECK (name <> ''),
  description       varchar(2000),
  type              varchar(10)  NOT NULL DEFAULT 'remote' CHECK (type IN ('local', 'git', 'remote')),
  path              varchar(4096),
  git_remote        varchar(2048),
  external_key      varchar(256),
  icon_url          varchar(2048),
  color             varchar(32),
  settings          jsonb        NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
  owner_id          uuid,
  erasure_id        uuid,                      -- under which all that was in it is erased, or null
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  archived_ts       timestamptz,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, project_id),
  FOREIGN KEY (host_id, owner_id) REFERENCES user_host_t ON DELETE RESTRICT,
  CHECK (type <> 'local' OR path IS NOT NULL),
  CHECK (type <> 'git' OR path IS NOT NULL OR git_remote IS NOT NULL)
);
CREATE UNIQUE INDEX idx_projects_external ON project_t (host_id, external_key) WHERE external_key IS NOT NULL;
CREATE INDEX idx_projects_owner ON project_t (host_id, owner_id);
CREATE INDEX idx_projects_path ON project_t (host_id, path) WHERE path IS NOT NULL;
CREATE INDEX idx_projects_created ON project_t (host_id, created_ts DESC, project_id DESC);

-- permissions: {"session.create": "allow" | "deny", …}, before what the role says.
CREATE TABLE project_member_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  user_id           uuid         NOT NULL,
  role              varchar(10)  NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
  permissions       jsonb        NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(permissions) = 'object'),
  joined_ts         timestamptz  NOT NULL DEFAULT now(),
  invited_by        uuid         REFERENCES user_t ON DELETE SET NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, project_id, user_id),
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE CASCADE,
  FOREIGN KEY (host_id, user_id) REFERENCES user_host_t ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_project_members_owner ON project_member_t (host_id, project_id) WHERE role = 'owner' AND active;
CREATE INDEX idx_project_members_user ON project_member_t (host_id, user_id);

-- permissions: the capabilities that the key opens, as far as its user has them; ["*"] for all of them.
CREATE TABLE api_key_t (
  host_id           uuid         NOT NULL,
  api_key_id        uuid         NOT NULL,
  user_id           uuid         NOT NULL,
  name              varchar(126) NOT NULL CHECK (name <> ''),
  key_prefix        varchar(16)  NOT NULL,
  key_hash          bytea        NOT NULL CHECK (length(key_hash) = 32),
  project_id        uuid,
  permissions       jsonb        NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(permissions) = 'array'),
  usage_count       bigint       NOT NULL DEFAULT 0,
  last_used_ts      timestamptz,
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  expires_ts        timestamptz,
  revoked_ts        timestamptz,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, api_key_id),
  FOREIGN KEY (host_id, user_id) REFERENCES user_host_t ON DELETE CASCADE,
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_api_keys_prefix ON api_key_t (key_prefix);
CREATE INDEX idx_api_keys_user ON api_key_t (host_id, user_id, created_ts DESC, api_key_id DESC);

-- Keys of model providers, sealed by the master key that master_key_id names. Without a user it is the host's own.
CREATE TABLE provider_credential_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  credential_id     uuid         NOT NULL,
  user_id           uuid,
  provider          varchar(64)  NOT NULL,
  name              varchar(126),
  sealed            bytea        NOT NULL,
  master_key_id     bigint       NOT NULL,
  last4             varchar(4)   NOT NULL,
  is_default        boolean      NOT NULL DEFAULT false,
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, credential_id),
  UNIQUE NULLS NOT DISTINCT (host_id, user_id, provider, name),
  FOREIGN KEY (host_id, user_id) REFERENCES user_host_t ON DELETE CASCADE
);
CREATE UNIQUE INDEX idx_provider_credentials_default ON provider_credential_t (host_id, user_id, provider)
  NULLS NOT DISTINCT WHERE is_default;
CREATE INDEX idx_provider_credentials_user ON provider_credential_t (host_id, user_id);
CREATE INDEX idx_provider_credentials_key ON provider_credential_t (master_key_id);

-- The host's own, and budgets: budget, budget/project/ID, budget/user/ID.
CREATE TABLE setting_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  name              varchar(64)  NOT NULL,
  value             jsonb        NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, name)
);

-- US dollars for a million tokens. On the topic access a price is the setting price/PROVIDER/MODEL.
CREATE TABLE price_t (
  host_id           uuid          NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  provider          varchar(64)   NOT NULL,
  model             varchar(126)  NOT NULL,
  input             numeric(12,6) NOT NULL CHECK (input >= 0),
  output            numeric(12,6) NOT NULL CHECK (output >= 0),
  cache_read        numeric(12,6) CHECK (cache_read >= 0),
  cache_write       numeric(12,6) CHECK (cache_write >= 0),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL,
  PRIMARY KEY (host_id, provider, model)
);

-- Agents of a project, or without one of the host. On the topic definitions an agent has the key agent/HOST/NAME or
-- agent/HOST/PROJECT/NAME. What is null is the provider's default.
CREATE TABLE agent_definition_t (
  host_id            uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  agent_def_id       uuid         NOT NULL,
  project_id         uuid,
  name               varchar(126) NOT NULL CHECK (name ~ '^[A-Za-z0-9_.-]+$'),
  description        varchar(500) NOT NULL DEFAULT '',
  prompt             text         NOT NULL DEFAULT '' CHECK (length(prompt) <= 65536),
  provider           varchar(64)  NOT NULL,
  model              varchar(126) NOT NULL,
  api_key_ref        varchar(256) CHECK (api_key_ref ~ '^(env|vault|cred):'), -- never the key itself
  temperature        float8       CHECK (temperature BETWEEN 0 AND 2),
  top_p              float8       CHECK (top_p BETWEEN 0 AND 1),
  max_tokens         int          CHECK (max_tokens > 0),
  thinking           varchar(10)  NOT NULL CHECK (thinking IN ('none', 'low', 'medium', 'high')),
  mode               varchar(10)  NOT NULL CHECK (mode IN ('primary', 'subagent', 'all')),
  hidden             boolean      NOT NULL DEFAULT false,
  color              varchar(32),
  tools              jsonb        NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(tools) = 'array'),
  skills             jsonb        NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(skills) = 'array'), -- [{name, version, priority, config}]
  options            jsonb        NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(options) = 'object'),
  guardrails         jsonb        NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(guardrails) = 'array'),
  max_steps          int          NOT NULL CHECK (max_steps > 0),
  turn_timeout_ms    bigint       NOT NULL CHECK (turn_timeout_ms > 0),
  model_attempts     int          NOT NULL CHECK (model_attempts > 0),
  session_tokens     bigint       CHECK (session_tokens > 0),
  session_cost_nanos bigint       CHECK (session_cost_nanos > 0),
  compact_at         int          NOT NULL CHECK (compact_at > keep),
  keep               int          NOT NULL CHECK (keep > 0),
  max_queued         int          NOT NULL CHECK (max_queued > 0),
  skill_tokens       int          NOT NULL CHECK (skill_tokens > 0),
  aggregate_version  bigint       NOT NULL DEFAULT 1,
  active             boolean      NOT NULL DEFAULT true,
  update_ts          timestamptz  NOT NULL DEFAULT now(),
  update_user        varchar(256) NOT NULL,
  PRIMARY KEY (host_id, agent_def_id),
  UNIQUE NULLS NOT DISTINCT (host_id, project_id, name),
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE CASCADE
);

-- What is to become of tool calls. Without a project it holds in all projects of the host.
CREATE TABLE permission_rule_t (
  host_id           uuid          NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  rule_id           uuid          NOT NULL,
  project_id        uuid,
  agent             varchar(126)  CHECK (agent ~ '^[A-Za-z0-9_.-]+$'),
  tool              varchar(126)  NOT NULL CHECK (tool ~ '^([A-Za-z0-9_.-]+|@(read|write|execute)|[*])$'),
  pattern           varchar(1024) NOT NULL CHECK (pattern <> ''),
  action            varchar(5)    NOT NULL CHECK (action IN ('allow', 'ask', 'deny')),
  locked            boolean       NOT NULL DEFAULT false CHECK (NOT locked OR action = 'deny'),
  expires_ts        timestamptz,
  created_ts        timestamptz   NOT NULL DEFAULT now(),
  aggregate_version bigint        NOT NULL DEFAULT 1,
  active            boolean       NOT NULL DEFAULT true,
  update_ts         timestamptz   NOT NULL DEFAULT now(),
  update_user       varchar(256)  NOT NULL,
  PRIMARY KEY (host_id, rule_id),
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE CASCADE
);
CREATE INDEX idx_permission_rules ON permission_rule_t (host_id, project_id, rule_id) WHERE active;

-- What models can have done. Versions stand side by side; body is what came in, checked and with its defaults.
CREATE TABLE tool_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  definition_id     uuid         NOT NULL,
  project_id        uuid,
  name              varchar(126) NOT NULL CHECK (name ~ '^[A-Za-z0-9_-]+$'),
  version           varchar(32)  NOT NULL CHECK (version ~ '^[0-9]'),
  body              jsonb        NOT NULL CHECK (jsonb_typeof(body) = 'object'),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, definition_id),
  UNIQUE NULLS NOT DISTINCT (host_id, project_id, name, version),
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE CASCADE
);
CREATE INDEX idx_tool_active ON tool_t (host_id, project_id) WHERE active;
CREATE INDEX idx_tool_name ON tool_t (host_id, name) WHERE active;

-- What agents can learn for a while. Versions stand side by side; body is what came in, checked and with its defaults.
CREATE TABLE skill_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  definition_id     uuid         NOT NULL,
  project_id        uuid,
  name              varchar(126) NOT NULL CHECK (name ~ '^[A-Za-z0-9_-]+$'),
  version           varchar(32)  NOT NULL CHECK (version ~ '^[0-9]'),
  body              jsonb        NOT NULL CHECK (jsonb_typeof(body) = 'object'),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, definition_id),
  UNIQUE NULLS NOT DISTINCT (host_id, project_id, name, version),
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE CASCADE
);
CREATE INDEX idx_skill_active ON skill_t (host_id, project_id) WHERE active;
CREATE INDEX idx_skill_name ON skill_t (host_id, name) WHERE active;

-- HTTP APIs that administrators open to tools, the host's so far, each in one version. Of one shape with tools and skills.
CREATE TABLE endpoint_t (
  host_id           uuid         NOT NULL REFERENCES host_t ON DELETE RESTRICT,
  definition_id     uuid         NOT NULL,
  project_id        uuid,
  name              varchar(126) NOT NULL CHECK (name ~ '^[A-Za-z0-9_-]+$'),
  version           varchar(32)  NOT NULL CHECK (version ~ '^[0-9]'),
  body              jsonb        NOT NULL CHECK (jsonb_typeof(body) = 'object'),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, definition_id),
  UNIQUE NULLS NOT DISTINCT (host_id, project_id, name, version),
  FOREIGN KEY (host_id, project_id) REFERENCES project_t ON DELETE CASCADE
);
CREATE INDEX idx_endpoint_active ON endpoint_t (host_id, project_id) WHERE active;
CREATE INDEX idx_endpoint_name ON endpoint_t (host_id, name) WHERE active;

-- Append-only for the services: they may read and add.
CREATE TABLE audit_log_t (
  host_id           uuid         NOT NULL,
  audit_log_id      uuid         NOT NULL,
  project_id        uuid,
  source_type_id    varchar(126),
  correlation_id    varchar(126),
  user_id           varchar(126),
  event_ts          timestamptz  NOT NULL DEFAULT now(),
  success           char(1)      CHECK (success IN ('Y', 'N')),
  message0          varchar(126),
  message1          varchar(126),
  message2          varchar(126),
  message3          varchar(126),
  message           varchar(500),
  user_comment      varchar(500),
  PRIMARY KEY (host_id, audit_log_id)
);
CREATE INDEX audit_log_idx1 ON audit_log_t (source_type_id, correlation_id, event_ts, user_id);
CREATE INDEX idx_audit_time ON audit_log_t (host_id, event_ts DESC, audit_log_id DESC);
CREATE INDEX idx_audit_correlation ON audit_log_t (host_id, correlation_id, event_ts);
CREATE INDEX idx_audit_user ON audit_log_t (host_id, user_id, event_ts DESC);
CREATE INDEX idx_audit_project ON audit_log_t (host_id, project_id, event_ts DESC) WHERE project_id IS NOT NULL;

-- How far the requests on the topic key-usage are counted.
CREATE TABLE usage_offset_t (
  partition_id      int          PRIMARY KEY,
  next_offset       bigint       NOT NULL
);

-- Keys of records on the topics access and definitions that have to be sent again, as they are by then; and agents that were
-- deleted, which erasures is told of: ended-agent/HOST/ID/WHO/, then the name, behind the project's key in a project.
CREATE TABLE outbox_t (
  seq               bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  record_key        varchar(800) NOT NULL
);

CREATE FUNCTION mark_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path FROM CURRENT AS $$
DECLARE
  r record := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'user_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('user/' || r.user_id); -- stands for the accounts in all hosts
    WHEN 'user_host_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('account/' || r.host_id || '/' || r.user_id);
    WHEN 'project_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('project/' || r.project_key);
    WHEN 'project_member_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('member/' || r.project_id || '/' || r.user_id);
    WHEN 'api_key_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('key/' || r.key_prefix);
    WHEN 'auth_session_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('key/' || r.token_prefix);
    WHEN 'setting_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('setting/' || r.host_id || '/' || r.name);
    WHEN 'price_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('setting/' || r.host_id || '/price/' || r.provider || '/' || r.model);
    WHEN 'permission_rule_t' THEN
      INSERT INTO outbox_t (record_key)
      VALUES ('permission/' || r.host_id || '/' || coalesce(r.project_id || '/', '') || r.rule_id);
    WHEN 'tool_t' THEN
      INSERT INTO outbox_t (record_key)
      VALUES ('tool/' || r.host_id || '/' || coalesce(r.project_id || '/', '') || r.name || '@' || r.version);
    WHEN 'skill_t' THEN
      INSERT INTO outbox_t (record_key)
      VALUES ('skill/' || r.host_id || '/' || coalesce(r.project_id || '/', '') || r.name || '@' || r.version);
    WHEN 'endpoint_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('endpoint/' || r.host_id || '/' || coalesce(r.project_id || '/', '') || r.name);
    WHEN 'agent_definition_t' THEN
      INSERT INTO outbox_t (record_key) VALUES ('agent/' || r.host_id || '/' || coalesce(r.project_id || '/', '') || r.name);
      IF TG_OP = 'UPDATE' AND OLD.active AND NOT NEW.active THEN
        INSERT INTO outbox_t (record_key)
        VALUES ('ended-agent/' || r.host_id || '/' || r.agent_def_id || '/' || replace(r.update_user, '/', '_') || '/'
          || coalesce((SELECT p.project_key FROM project_t p WHERE p.project_id = r.project_id) || '/', '') || r.name);
      END IF;
  END CASE;
  NOTIFY parley_outbox;
  RETURN NULL;
END $$;

-- Another address is not proved, and codes that were sent to the one before are no good.
CREATE FUNCTION forget_proof() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.email_proved_ts := NULL;
  DELETE FROM one_time_code_t WHERE user_id = NEW.user_id AND purpose = 'email';
  RETURN NEW;
END $$;
CREATE TRIGGER another_address BEFORE UPDATE OF email ON user_t
  FOR EACH ROW WHEN (OLD.email IS DISTINCT FROM NEW.email) EXECUTE FUNCTION forget_proof();

CREATE TRIGGER changed AFTER UPDATE OF username, time_zone, language, active ON user_t
  FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON user_host_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON project_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON project_member_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE OF project_id, permissions, expires_ts, revoked_ts, active ON api_key_t
  FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON auth_session_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON setting_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON price_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON permission_rule_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON agent_definition_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON tool_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON skill_t FOR EACH ROW EXECUTE FUNCTION mark_changed();
CREATE TRIGGER changed AFTER INSERT OR UPDATE OR DELETE ON endpoint_t FOR EACH ROW EXECUTE FUNCTION mark_changed();

-- The host, the project and the administrator of an installation that has made none; ids follow from their names. The
-- administrator is whoever shows the installation's own key, and cannot sign in otherwise.
INSERT INTO user_t (user_id, username, update_user) VALUES ('68d09e46-ab81-5f43-84c4-f4717ac78af4', 'admin', 'parley');
INSERT INTO host_t (host_id, host_key, name, update_user)
VALUES ('15245535-bb7c-589f-86c2-8a7634aee196', 'default', 'Default', 'parley');
INSERT INTO user_host_t (host_id, user_id, role, update_user)
VALUES ('15245535-bb7c-589f-86c2-8a7634aee196', '68d09e46-ab81-5f43-84c4-f4717ac78af4', 'admin', 'parley');
INSERT INTO project_t (host_id, project_id, project_key, name, owner_id, update_user)
VALUES ('15245535-bb7c-589f-86c2-8a7634aee196', '23e4e583-1eb6-5788-89ca-7c651ccf0b37', 'default', 'Default',
        '68d09e46-ab81-5f43-84c4-f4717ac78af4', 'parley');
INSERT INTO project_member_t (host_id, project_id, user_id, role, update_user)
VALUES ('15245535-bb7c-589f-86c2-8a7634aee196', '23e4e583-1eb6-5788-89ca-7c651ccf0b37', '68d09e46-ab81-5f43-84c4-f4717ac78af4', 'owner', 'parley');

-- Isolation: a transaction sees its own host's rows, and its own project's where a row has one. A project is the row itself,
-- so lists of projects are read for all projects of the host.
ALTER TABLE host_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON host_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE user_host_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_host_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE auth_session_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON auth_session_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE project_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON project_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE project_member_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON project_member_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE api_key_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_key_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE provider_credential_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON provider_credential_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE setting_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON setting_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE price_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON price_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE permission_rule_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON permission_rule_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_definition_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_definition_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE tool_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON tool_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE skill_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON skill_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE endpoint_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON endpoint_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE audit_log_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_log_t USING (${ofProject}) WITH CHECK (${ofProject});

-- A person is seen from the hosts that the person is in. Whoever signs in is in none yet: that is done for all hosts.
ALTER TABLE user_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_t USING ((SELECT current_setting('app.host', true) = '*') OR EXISTS (
  SELECT FROM user_host_t h WHERE h.user_id = user_t.user_id AND ${ofHost})) WITH CHECK (true);
ALTER TABLE auth_identity_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON auth_identity_t USING ((SELECT current_setting('app.host', true) = '*') OR EXISTS (
  SELECT FROM user_host_t h WHERE h.user_id = auth_identity_t.user_id AND ${ofHost}));
ALTER TABLE one_time_code_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON one_time_code_t USING ((SELECT current_setting('app.host', true) = '*') OR EXISTS (
  SELECT FROM user_host_t h WHERE h.user_id = one_time_code_t.user_id AND ${ofHost}));
ALTER TABLE identity_request_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON identity_request_t USING ((SELECT current_setting('app.host', true) = '*'));

GRANT USAGE ON SCHEMA control TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON host_t, user_t, user_host_t, auth_identity_t, auth_session_t, one_time_code_t,
  identity_request_t, auth_attempt_t, project_t, project_member_t, api_key_t, provider_credential_t, setting_t, price_t,
  agent_definition_t, permission_rule_t, tool_t, skill_t, endpoint_t, outbox_t, usage_offset_t TO "${appRole}";
GRANT SELECT, INSERT ON audit_log_t TO "${appRole}";
