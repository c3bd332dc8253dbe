-- ikigai's tables after its eighth migration; the type of agents.status is a text here.
CREATE TABLE sessions (id BIGINT PRIMARY KEY, started_at TIMESTAMP WITH TIME ZONE, ended_at TIMESTAMP WITH TIME ZONE, title TEXT);
CREATE TABLE agents (uuid TEXT PRIMARY KEY, name TEXT, parent_uuid TEXT REFERENCES agents(uuid), fork_message_id BIGINT,
  status TEXT NOT NULL DEFAULT 'running', created_at BIGINT NOT NULL, ended_at BIGINT, provider TEXT, model TEXT, thinking_level TEXT,
  session_id BIGINT NOT NULL);
CREATE TABLE messages (id BIGINT PRIMARY KEY, session_id BIGINT NOT NULL REFERENCES sessions(id), kind TEXT NOT NULL, content TEXT, data JSONB,
  created_at TIMESTAMP WITH TIME ZONE, agent_uuid TEXT REFERENCES agents(uuid));
CREATE TABLE mail (id BIGINT PRIMARY KEY, session_id BIGINT NOT NULL, from_uuid TEXT NOT NULL, to_uuid TEXT NOT NULL, body TEXT NOT NULL);

INSERT INTO sessions (id) VALUES (1);
INSERT INTO agents (uuid, name, parent_uuid, fork_message_id, status, created_at, session_id, provider, model) VALUES
  ('root', 'Zero', NULL, NULL, 'running', 1, 1, 'anthropic', 'claude-opus-4-6'),
  ('child', NULL, 'root', 8, 'dead', 2, 1, NULL, NULL);
INSERT INTO messages (id, session_id, kind, content, data, agent_uuid) VALUES
  (1, 1, 'user', 'forget this', NULL, 'root'),
  (2, 1, 'clear', NULL, NULL, 'root'),
  (3, 1, 'system', 'You are ikigai.', NULL, 'root'),
  (4, 1, 'user', 'List the files', NULL, 'root'),
  (5, 1, 'tool_call', 'glob', '{"tool_call_id":"call_1","tool_name":"glob","tool_args":"{\"pattern\":\"*\"}","thinking":{"text":"hm","signature":"s"}}', 'root'),
  (6, 1, 'tool_result', '1 file', '{"tool_call_id":"call_1","name":"glob","output":"a.txt","success":true}', 'root'),
  (7, 1, 'assistant', 'There is a.txt.', NULL, 'root'),
  (8, 1, 'mark', NULL, '{"label":"here"}', 'root'),
  (9, 1, 'user', 'undone', NULL, 'root'),
  (10, 1, 'assistant', 'undone answer', NULL, 'root'),
  (11, 1, 'rewind', NULL, '{"target_message_id":8,"target_label":"here"}', 'root'),
  (12, 1, 'user', 'broken off', NULL, 'root'),
  (13, 1, 'interrupted', NULL, NULL, 'root'),
  (14, 1, 'user', 'Thanks', NULL, 'root'),
  (15, 1, 'user', 'Read it', NULL, 'child'),
  (16, 1, 'tool_call', NULL, '{"tool_name":"read"}', 'child'),
  (17, 1, 'dance', NULL, NULL, 'child'),
  (18, 1, 'user', 'Before there were agents', NULL, NULL);
INSERT INTO mail VALUES (1, 1, 'root', 'child', 'hello');
