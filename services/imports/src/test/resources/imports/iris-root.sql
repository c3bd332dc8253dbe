-- Iris's root database, as its documentation has it.
CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT UNIQUE, username TEXT UNIQUE NOT NULL, password_hash TEXT, preferences TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT, owner_id TEXT NOT NULL REFERENCES users(id),
  type TEXT NOT NULL DEFAULT 'local', path TEXT, git_remote TEXT, icon_url TEXT, color TEXT, settings TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, archived_at INTEGER);
CREATE TABLE project_members (project_id TEXT NOT NULL, user_id TEXT NOT NULL, role TEXT NOT NULL DEFAULT 'member', permissions TEXT,
  joined_at INTEGER NOT NULL, invited_by TEXT, PRIMARY KEY (project_id, user_id));
CREATE TABLE api_keys (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL, key_hash TEXT NOT NULL, key_prefix TEXT NOT NULL,
  permissions TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL);
CREATE TABLE provider_credentials (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, provider TEXT NOT NULL, api_key_encrypted TEXT NOT NULL, name TEXT,
  is_default INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at INTEGER NOT NULL);

INSERT INTO users (id, username, password_hash, created_at, updated_at) VALUES ('u1', 'ann', '$2b$12$hash-of-ann', 1, 1);
INSERT INTO projects (id, name, owner_id, type, git_remote, created_at, updated_at) VALUES ('p1', 'Sky', 'u1', 'git', 'https://example.com/sky.git', 1, 1);
INSERT INTO projects (id, name, owner_id, type, created_at, updated_at) VALUES ('p2', 'Nothing', 'u1', 'local', 1, 1);
INSERT INTO project_members VALUES ('p1', 'u1', 'owner', NULL, 1, NULL);
INSERT INTO api_keys VALUES ('k1', 'u1', 'ci', 'hash-of-key', 'iris_abc', '[]', 1);
INSERT INTO provider_credentials VALUES ('c1', 'u1', 'openai', 'sealed-key-of-ann', NULL, 1, 1, 1);
