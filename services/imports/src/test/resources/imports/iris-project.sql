-- A project of Iris, as its documentation has it.
CREATE TABLE sessions (id TEXT PRIMARY KEY, slug TEXT NOT NULL, parent_id TEXT REFERENCES sessions(id), title TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active', agent TEXT NOT NULL DEFAULT 'default', provider_id TEXT, model_id TEXT, share_url TEXT,
  share_secret TEXT, permissions TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, archived_at INTEGER);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), role TEXT NOT NULL, parent_id TEXT,
  error_type TEXT, error_message TEXT, created_at INTEGER NOT NULL);
CREATE TABLE message_parts (id TEXT PRIMARY KEY, message_id TEXT NOT NULL REFERENCES messages(id), session_id TEXT NOT NULL, type TEXT NOT NULL,
  content TEXT NOT NULL, tool_name TEXT, tool_call_id TEXT, tool_status TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE agents (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT, mode TEXT NOT NULL DEFAULT 'subagent',
  hidden INTEGER NOT NULL DEFAULT 0, provider_id TEXT, model_id TEXT, temperature REAL, top_p REAL, max_steps INTEGER, prompt TEXT,
  permissions TEXT, options TEXT NOT NULL DEFAULT '{}', color TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  is_builtin INTEGER NOT NULL DEFAULT 0);
CREATE TABLE tools (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, type TEXT NOT NULL, code TEXT, mcp_server TEXT,
  mcp_tool TEXT, http_url TEXT, http_method TEXT, parameters_schema TEXT NOT NULL, enabled INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE files (id TEXT PRIMARY KEY, path TEXT NOT NULL UNIQUE, type TEXT NOT NULL, deleted_at INTEGER);
CREATE TABLE file_versions (id TEXT PRIMARY KEY, file_id TEXT NOT NULL REFERENCES files(id), version INTEGER NOT NULL, hash TEXT NOT NULL, patch TEXT);
CREATE TABLE todos (id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), content TEXT NOT NULL, active_form TEXT NOT NULL,
  status TEXT NOT NULL, position INTEGER NOT NULL);
CREATE TABLE permissions (id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions(id), permission TEXT NOT NULL, pattern TEXT NOT NULL,
  action TEXT NOT NULL, scope TEXT NOT NULL DEFAULT 'session', created_at INTEGER NOT NULL);
CREATE TABLE snapshots (id TEXT PRIMARY KEY, hash TEXT NOT NULL, file_count INTEGER NOT NULL, created_at INTEGER NOT NULL);

INSERT INTO sessions (id, slug, parent_id, title, status, agent, share_secret, created_at, updated_at) VALUES
  ('ses_1', 'sky', NULL, 'The colour of the sky', 'active', 'guide', 'secret-of-share', 1, 1),
  ('ses_2', 'sky-2', 'ses_1', 'Look it up', 'active', 'explore', NULL, 2, 2),
  ('ses_3', 'sky-3', 'ses_1', 'Look again', 'archived', 'explore', NULL, 3, 3),
  ('ses_4', 'gone', NULL, 'Gone', 'deleted', 'default', NULL, 4, 4);
INSERT INTO messages (id, session_id, role, created_at) VALUES
  ('msg_1', 'ses_1', 'user', 1), ('msg_2', 'ses_1', 'assistant', 2), ('msg_3', 'ses_2', 'user', 3), ('msg_4', 'ses_2', 'assistant', 4),
  ('msg_5', 'ses_3', 'user', 5);
INSERT INTO message_parts VALUES
  ('prt_01', 'msg_1', 'ses_1', 'text', '{"text":"What colour"}', NULL, NULL, NULL, 1, 1),
  ('prt_02', 'msg_1', 'ses_1', 'text', '{"text":"is the sky?"}', NULL, NULL, NULL, 1, 1),
  ('prt_03', 'msg_2', 'ses_1', 'step-start', '{}', NULL, NULL, NULL, 1, 1),
  ('prt_04', 'msg_2', 'ses_1', 'reasoning', '{"text":"hm"}', NULL, NULL, NULL, 1, 1),
  ('prt_05', 'msg_2', 'ses_1', 'text', '{"text":"I look."}', NULL, NULL, NULL, 1, 1),
  ('prt_06', 'msg_2', 'ses_1', 'tool-call', '{"args":{"at":"sky"}}', 'look', 'call_1', 'completed', 1, 1),
  ('prt_07', 'msg_2', 'ses_1', 'tool-call', '{"args":{"at":"sea"}}', 'look', 'call_2', 'completed', 1, 1),
  ('prt_08', 'msg_2', 'ses_1', 'tool-result', '{"result":"blue"}', 'look', 'call_1', 'completed', 1, 1),
  ('prt_09', 'msg_2', 'ses_1', 'tool-result', '{"result":{"why":"dark"}}', 'look', 'call_2', 'error', 1, 1),
  ('prt_10', 'msg_2', 'ses_1', 'text', '{"text":"It is blue."}', NULL, NULL, NULL, 1, 1),
  ('prt_11', 'msg_2', 'ses_1', 'text', 'no json {', NULL, NULL, NULL, 1, 1),
  ('prt_12', 'msg_3', 'ses_2', 'text', '{"text":"Look at the sky"}', NULL, NULL, NULL, 1, 1),
  ('prt_13', 'msg_4', 'ses_2', 'tool', '{"input":{"at":"sky"},"output":"blue"}', 'look', 'call_3', 'completed', 1, 1),
  ('prt_14', 'msg_5', 'ses_3', 'text', '{"text":"Look again"}', NULL, NULL, NULL, 1, 1);
INSERT INTO agents (id, name, description, mode, temperature, max_steps, prompt, permissions, options, created_at, updated_at) VALUES
  ('a1', 'guide', 'Shows the sky', 'primary', 0.5, 7, 'You are a guide.', '[{"permission":"web_fetch","pattern":"https://example.com/**","action":"allow"}]', '{"x":1}', 1, 1);
INSERT INTO agents (id, name, is_builtin, created_at, updated_at) VALUES ('a2', 'plan', 1, 1, 1);
INSERT INTO tools (id, name, description, type, code, mcp_server, mcp_tool, http_url, http_method, parameters_schema, created_at, updated_at) VALUES
  ('t1', 'look', 'Looks somewhere', 'http', NULL, NULL, NULL, 'https://look.example/v1/{at}', 'GET', '{"type":"object","properties":{"at":{"type":"string"}},"required":["at"]}', 1, 1),
  ('t2', 'double it', 'Doubles', 'code', 'return {n: 2 * args.n}', NULL, NULL, NULL, NULL, '{"type":"object","properties":{"n":{"type":"number"}}}', 1, 1),
  ('t3', 'ask', 'Asks a program', 'mcp', NULL, 'my-server', 'ask', NULL, NULL, '{"type":"object"}', 1, 1);
INSERT INTO files VALUES ('f1', 'notes/sky.md', 'file', NULL), ('f2', 'notes/sea.md', 'file', NULL), ('f3', 'old.md', 'file', 9);
INSERT INTO file_versions VALUES ('v1', 'f1', 1, 'h', '# Sky'), ('v2', 'f2', 1, 'h', '# Sea'), ('v3', 'f2', 2, 'h', '-# Sea'), ('v4', 'f3', 1, 'h', 'x');
INSERT INTO todos VALUES ('d1', 'ses_1', 'Look up', 'Looking up', 'completed', 0), ('d2', 'ses_1', 'Write it down', 'Writing it down', 'in_progress', 1);
INSERT INTO permissions VALUES
  ('r1', 'ses_1', 'look', '*', 'allow', 'session', 1), ('r2', 'ses_1', 'web_fetch', 'https://sky.example/**', 'ask', 'project', 1),
  ('r3', 'ses_1', 'look', '*', 'maybe', 'project', 1);
INSERT INTO snapshots VALUES ('s1', 'h', 1, 1);
