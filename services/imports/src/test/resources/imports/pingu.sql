-- Pingu's tables, as its documentation has them, with what later versions added.
CREATE TABLE sessions (id TEXT PRIMARY KEY, channel TEXT NOT NULL DEFAULT 'cli', channel_id TEXT, title TEXT, model TEXT, summary TEXT,
  summary_up_to TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE turns (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  user_message TEXT NOT NULL, response_json TEXT NOT NULL, model TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT);
CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, category TEXT NOT NULL DEFAULT 'conversation',
  content TEXT NOT NULL, embedding BLOB, content_hash TEXT, created_at TEXT, updated_at TEXT);

INSERT INTO sessions (id, channel, title, model, summary) VALUES
  ('telegram:648079060', 'default', 'About cheese', 'gpt-5', 'cheese'),
  ('telegram:648079060:delegate:sysinfo', 'default', NULL, 'gpt-5', NULL),
  ('lost:delegate:sysinfo', 'default', NULL, 'gpt-5', NULL),
  ('empty', 'default', NULL, NULL, NULL);
INSERT INTO turns (session_id, user_message, response_json, model) VALUES
  ('telegram:648079060', 'My name is Zoe. What is the moon made of?',
   '{"id":"resp_1","object":"response","model":"gpt-5-2025-08-07","status":"completed","output":[{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAAA=="},{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"moon"}},{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"Rock.","annotations":[]}]}],"usage":{"input_tokens":10,"output_tokens":5}}',
   'gpt-5-2025-08-07'),
  ('telegram:648079060', 'And cheese?', '{"model":"gpt-5","output":[{"type":"reasoning","raw":{"id":"rs_2","type":"reasoning","summary":[],"encrypted_content":"gBBBB=="}},{"type":"message","content":"No cheese."}],"input_tokens":1,"output_tokens":1}', 'gpt-5'),
  ('telegram:648079060', 'Sure?', 'half of it {', 'gpt-5'),
  ('telegram:648079060:delegate:sysinfo', 'Name the host', '{"model":"gpt-5","output":[{"type":"message","content":"It is macbook."}]}', 'gpt-5'),
  ('lost:delegate:sysinfo', 'Name the host', '{"model":"gpt-5","output":[{"type":"message","content":"It is gone."}]}', 'gpt-5');
INSERT INTO messages (id, session_id, role, content) VALUES ('m1', 'telegram:648079060', 'user', 'unused');
INSERT INTO memories (category, content) VALUES ('core', 'Zoe lives in Oslo.');
