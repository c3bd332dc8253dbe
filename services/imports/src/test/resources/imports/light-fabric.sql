-- Light-Fabric's tables, as its documentation has them, without vectors and what nothing is read of.
CREATE TABLE wf_definition_t (host_id UUID NOT NULL, wf_def_id UUID NOT NULL, namespace VARCHAR(126) NOT NULL, name VARCHAR(126) NOT NULL,
  version VARCHAR(20) NOT NULL, definition TEXT NOT NULL, active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, wf_def_id));
CREATE TABLE agent_definition_t (host_id UUID NOT NULL, agent_def_id UUID NOT NULL, agent_name VARCHAR(126) NOT NULL,
  model_provider VARCHAR(64) NOT NULL, model_name VARCHAR(126) NOT NULL, api_key_ref VARCHAR(126), temperature NUMERIC(3,2) DEFAULT 0.7,
  max_tokens INTEGER, active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, agent_def_id));
CREATE TABLE skill_t (host_id UUID NOT NULL, skill_id UUID NOT NULL, parent_skill_id UUID, name VARCHAR(126) NOT NULL, description VARCHAR(500),
  content_markdown TEXT NOT NULL, version VARCHAR(20) DEFAULT '1.0.0', active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, skill_id));
CREATE TABLE tool_t (host_id UUID NOT NULL, tool_id UUID NOT NULL, name VARCHAR(126) NOT NULL, description TEXT NOT NULL,
  implementation_type VARCHAR(50), implementation_class VARCHAR(500), mcp_server_name VARCHAR(126), api_endpoint VARCHAR(1024),
  api_method VARCHAR(10), endpoint_id UUID, script_content TEXT, response_schema JSONB, version VARCHAR(20) DEFAULT '1.0.0',
  active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, tool_id));
CREATE TABLE tool_param_t (host_id UUID NOT NULL, param_id UUID NOT NULL, tool_id UUID NOT NULL, name VARCHAR(255) NOT NULL,
  param_type VARCHAR(50) NOT NULL, required BOOLEAN DEFAULT TRUE, default_value JSONB, description TEXT, validation_schema JSONB,
  order_index INTEGER DEFAULT 0, active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, param_id));
CREATE TABLE skill_dependency_t (host_id UUID NOT NULL, skill_id UUID NOT NULL, depends_on_skill_id UUID NOT NULL, required BOOLEAN DEFAULT TRUE,
  active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, skill_id, depends_on_skill_id));
CREATE TABLE agent_skill_t (host_id UUID NOT NULL, agent_def_id UUID NOT NULL, skill_id UUID NOT NULL, config JSONB, priority INTEGER DEFAULT 0,
  sequence_id INTEGER DEFAULT 0, active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, agent_def_id, skill_id));
CREATE TABLE skill_tool_t (host_id UUID NOT NULL, skill_id UUID NOT NULL, tool_id UUID NOT NULL, config JSONB, access_level VARCHAR(20) DEFAULT 'read',
  active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, skill_id, tool_id));
CREATE TABLE agent_memory_bank_t (host_id UUID NOT NULL, bank_id UUID NOT NULL, agent_def_id UUID, user_id UUID, bank_name VARCHAR(126) NOT NULL,
  disposition JSONB, background TEXT, active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, bank_id));
CREATE TABLE agent_memory_doc_t (host_id UUID NOT NULL, doc_id UUID NOT NULL, bank_id UUID NOT NULL, original_text TEXT, content_hash TEXT,
  active BOOLEAN DEFAULT TRUE, update_ts TIMESTAMP WITH TIME ZONE, PRIMARY KEY (host_id, bank_id, doc_id));
CREATE TABLE agent_memory_unit_t (host_id UUID NOT NULL, unit_id UUID NOT NULL, bank_id UUID NOT NULL, doc_id UUID, content TEXT NOT NULL,
  context TEXT, event_date TIMESTAMP WITH TIME ZONE, mentioned_at TIMESTAMP WITH TIME ZONE, fact_type VARCHAR(32) NOT NULL DEFAULT 'world',
  active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, bank_id, unit_id));
CREATE TABLE agent_memory_directive_t (host_id UUID NOT NULL, directive_id UUID NOT NULL, bank_id UUID NOT NULL, name VARCHAR(256) NOT NULL,
  content TEXT NOT NULL, priority INT NOT NULL DEFAULT 0, active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, bank_id, directive_id));
CREATE TABLE agent_session_history_t (host_id UUID NOT NULL, session_id UUID NOT NULL, bank_id UUID NOT NULL, messages JSONB NOT NULL, metadata JSONB,
  active BOOLEAN DEFAULT TRUE, PRIMARY KEY (host_id, bank_id, session_id));

INSERT INTO wf_definition_t VALUES ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-0000000000f2', 'n', 'of others', '1', 'do: []', TRUE);
INSERT INTO wf_definition_t VALUES ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000f1', 'n', 'w', '1', 'do: []', TRUE);
INSERT INTO agent_definition_t VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000a1', 'travel agent', 'OpenAI', 'gpt-5', 'vault/openai', 0.5, 500, TRUE),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000a2', 'retired', 'openai', 'gpt-4', NULL, 0.5, NULL, FALSE),
  ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-0000000000a3', 'of others', 'openai', 'gpt-5', NULL, 0.5, NULL, TRUE);
INSERT INTO skill_t VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000b2', 'Plan Trips', 'How to plan', '# Trips', '1.2.0', TRUE),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000b2', NULL, 'Travel', NULL, '# Travel', '1.0.0', TRUE),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000b3', NULL, 'Weather', 'Looks at the sky', '# Weather', '1.0.0', TRUE);
INSERT INTO skill_dependency_t VALUES ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000b3', TRUE, TRUE);
INSERT INTO tool_t (host_id, tool_id, name, description, implementation_type, mcp_server_name, api_endpoint, api_method, script_content, response_schema, version) VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c1', 'forecast', 'The weather', 'rest', NULL, 'https://weather.example/v1/{town}', 'GET', NULL, '{"type":"object"}', '2.0.0'),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c2', 'sum', 'Adds', 'python', NULL, NULL, NULL, 'return 2', NULL, '1.0.0'),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000c3', 'crm', 'Customers', 'mcp_server', 'crm-server', NULL, NULL, NULL, NULL, '1.0.0');
INSERT INTO tool_param_t VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000d2', '00000000-0000-4000-8000-0000000000c1', 'days', 'integer', TRUE, '3', NULL, '{"minimum":1}', 2, TRUE),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000d1', '00000000-0000-4000-8000-0000000000c1', 'town', 'string', TRUE, NULL, 'Where', NULL, 1, TRUE);
INSERT INTO agent_skill_t VALUES ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-0000000000b1', '{"currency":"EUR"}', 5, 1, TRUE);
INSERT INTO skill_tool_t VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000c1', NULL, 'read', TRUE),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-0000000000c3', NULL, 'read', TRUE);
INSERT INTO agent_memory_bank_t VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000e1', '00000000-0000-4000-8000-0000000000a1', NULL, 'Trips', '{"skepticism":5,"literalism":3,"empathy":9}', 'For travellers', TRUE),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000e2', NULL, '00000000-0000-4000-8000-0000000000aa', 'Of Zoe', NULL, NULL, TRUE);
INSERT INTO agent_memory_doc_t VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000d8', '00000000-0000-4000-8000-0000000000e1', 'Alice Chen moved to Oslo in May.', 'h', TRUE, '2026-05-04 10:00:00+00'),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-0000000000d9', '00000000-0000-4000-8000-0000000000e1', NULL, NULL, TRUE, '2026-05-04 10:00:00+00');
INSERT INTO agent_memory_unit_t (host_id, unit_id, bank_id, doc_id, content, context, event_date, mentioned_at, fact_type) VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000011', '00000000-0000-4000-8000-0000000000e1', '00000000-0000-4000-8000-0000000000d8', 'Alice lives in Oslo', NULL, '2026-05-04 10:00:00+00', NULL, 'world'),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000012', '00000000-0000-4000-8000-0000000000e1', '00000000-0000-4000-8000-0000000000d9', 'Bob likes trains', 'talk', '2026-05-04 10:00:00+00', '2026-05-05 11:30:00+00', 'world'),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000013', '00000000-0000-4000-8000-0000000000e1', NULL, 'I booked a train', NULL, '2026-05-04 10:00:00+00', NULL, 'experience'),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000014', '00000000-0000-4000-8000-0000000000e1', NULL, 'People like trains', NULL, '2026-05-04 10:00:00+00', NULL, 'observation');
INSERT INTO agent_memory_directive_t VALUES ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000021', '00000000-0000-4000-8000-0000000000e1', 'no-prices', 'Never name a price.', 3, TRUE);
INSERT INTO agent_session_history_t VALUES
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000031', '00000000-0000-4000-8000-0000000000e1', '[{"role":"system","content":"be brief"},{"role":"user","content":"Where is Alice?"},{"role":"assistant","content":"In Oslo."}]', '{"title":"Alice"}', TRUE),
  ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000032', '00000000-0000-4000-8000-0000000000e2', '[{"role":"user","content":"private"}]', NULL, TRUE);
