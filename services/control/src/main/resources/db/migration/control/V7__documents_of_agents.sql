-- An agent is stored as its document (docs/decisions/0093). The columns that it had before are those of a view.
ALTER TABLE agent_definition_t ADD COLUMN body jsonb;

UPDATE agent_definition_t SET body = jsonb_build_object(
  'name', name, 'description', description, 'mode', mode, 'hidden', hidden, 'model', provider || '/' || model,
  'apiKey', api_key_ref, 'prompt', prompt, 'tools', tools,
  'skills', (SELECT coalesce(jsonb_agg(k.value || jsonb_build_object('config', (k.value->>'config')::jsonb) ORDER BY k.ordinality), '[]')
    FROM jsonb_array_elements(skills) WITH ORDINALITY k),
  'temperature', temperature, 'topP', top_p, 'maxTokens', max_tokens, 'thinking', thinking,
  'limits', jsonb_build_object('maxSteps', max_steps, 'turnTimeout', turn_timeout_ms || 'ms', 'modelAttempts', model_attempts,
    'sessionTokens', session_tokens, 'sessionCost', trim_scale(session_cost_nanos / 1e9), 'compactAt', compact_at, 'keep', keep,
    'maxQueued', max_queued, 'skillTokens', skill_tokens),
  'options', options, 'guardrails', guardrails, 'color', color);

DROP VIEW agent_skill_v;

ALTER TABLE agent_definition_t
  ALTER COLUMN body SET NOT NULL,
  ADD CHECK (jsonb_typeof(body) = 'object'),
  DROP COLUMN description, DROP COLUMN prompt, DROP COLUMN provider, DROP COLUMN model, DROP COLUMN api_key_ref,
  DROP COLUMN temperature, DROP COLUMN top_p, DROP COLUMN max_tokens, DROP COLUMN thinking, DROP COLUMN mode,
  DROP COLUMN hidden, DROP COLUMN color, DROP COLUMN tools, DROP COLUMN skills, DROP COLUMN options,
  DROP COLUMN guardrails, DROP COLUMN max_steps, DROP COLUMN turn_timeout_ms, DROP COLUMN model_attempts,
  DROP COLUMN session_tokens, DROP COLUMN session_cost_nanos, DROP COLUMN compact_at, DROP COLUMN keep,
  DROP COLUMN max_queued, DROP COLUMN skill_tokens;

CREATE VIEW agent_definition_v WITH (security_invoker = true) AS
SELECT host_id, project_id, agent_def_id, name, body->>'description' AS description, body->>'prompt' AS prompt,
  split_part(body->>'model', '/', 1) AS provider, substr(body->>'model', strpos(body->>'model', '/') + 1) AS model,
  body->>'apiKey' AS api_key_ref, (body->>'temperature')::float8 AS temperature, (body->>'topP')::float8 AS top_p,
  (body->>'maxTokens')::int AS max_tokens, body->>'thinking' AS thinking, body->>'mode' AS mode,
  (body->>'hidden')::boolean AS hidden, body->>'color' AS color, body->'tools' AS tools, body->'skills' AS skills,
  body->'options' AS options, body->'guardrails' AS guardrails, body->'limits' AS limits, aggregate_version, active,
  update_ts, update_user
FROM agent_definition_t;

CREATE VIEW agent_skill_v WITH (security_invoker = true) AS
SELECT a.host_id, a.project_id, a.agent_def_id, skill_named(a.host_id, a.project_id, k.value->>'name', k.value->>'version') AS skill_id,
  k.value->>'name' AS skill_name, coalesce(nullif(k.value->'config', 'null'), '{}') AS config,
  coalesce((k.value->>'priority')::int, 0) AS priority, k.ordinality::int - 1 AS sequence_id, a.aggregate_version, a.active,
  a.update_ts, a.update_user
FROM agent_definition_t a CROSS JOIN LATERAL jsonb_array_elements(a.body->'skills') WITH ORDINALITY k;

GRANT SELECT ON agent_definition_v, agent_skill_v TO "${appRole}";
