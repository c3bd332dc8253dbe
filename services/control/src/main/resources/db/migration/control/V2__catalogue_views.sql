-- The catalogue, a row for each thing and each link, in the shape that Light-Fabric gave it (docs/decisions/0038). The rows of the
-- tables are what came in, as JSON; these are made of them, with the rights of whoever reads.

CREATE FUNCTION version_of(version text) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN version ~ '^\d{1,9}(\.\d{1,9})*$' THEN string_to_array(version, '.')::int[] END
$$;

-- The skill of this name that a skill or agent of this place means: its project's before the host's, the newest, or the one of a version.
CREATE FUNCTION skill_named(host uuid, project uuid, named text, wanted text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT definition_id FROM control.skill_t
  WHERE host_id = host AND (project_id = project OR project_id IS NULL) AND name = named AND active AND (wanted IS NULL OR version = wanted)
  ORDER BY project_id NULLS LAST, control.version_of(version) DESC NULLS LAST, update_ts DESC LIMIT 1
$$;

CREATE FUNCTION tool_named(host uuid, project uuid, named text, wanted text) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT definition_id FROM control.tool_t
  WHERE host_id = host AND (project_id = project OR project_id IS NULL) AND name = named AND active AND (wanted IS NULL OR version = wanted)
  ORDER BY project_id NULLS LAST, control.version_of(version) DESC NULLS LAST, update_ts DESC LIMIT 1
$$;

CREATE VIEW skill_v WITH (security_invoker = true) AS
SELECT host_id, project_id, definition_id AS skill_id, skill_named(host_id, project_id, body->>'parent', NULL) AS parent_skill_id, name,
  body->>'description' AS description, body->>'text' AS content_markdown, version, aggregate_version,
  active AND coalesce((body->>'enabled')::boolean, true) AS active, update_ts, update_user
FROM skill_t;

CREATE VIEW tool_v WITH (security_invoker = true) AS
SELECT t.host_id, t.project_id, t.definition_id AS tool_id, t.name, t.body->>'description' AS description,
  t.body->>'type' AS implementation_type, t.body->'implementation'->>'class' AS implementation_class,
  coalesce(t.body #>> '{implementation,server,url}', t.body #>> '{implementation,server,command}') AS mcp_server_name,
  t.body->'implementation'->>'url' AS api_endpoint, t.body->'implementation'->>'method' AS api_method,
  e.definition_id AS endpoint_id, t.body->'implementation'->>'script' AS script_content, t.body->'responseSchema' AS response_schema,
  t.version, t.aggregate_version, t.active AND coalesce((t.body->>'enabled')::boolean, true) AS active, t.update_ts, t.update_user
FROM tool_t t
LEFT JOIN endpoint_t e ON e.host_id = t.host_id AND e.name = t.body->'implementation'->>'endpoint' AND e.active AND t.body->>'type' = 'rest';

-- A tool whose arguments came in as a schema has its parameters there, and no rows.
CREATE VIEW tool_param_v WITH (security_invoker = true) AS
SELECT t.host_id, t.project_id, md5(t.definition_id || ' ' || (p.value->>'name'))::uuid AS param_id, t.definition_id AS tool_id,
  p.value->>'name' AS name, p.value->>'type' AS param_type, coalesce((p.value->>'required')::boolean, false) AS required,
  p.value->'defaultValue' AS default_value, p.value->>'description' AS description, p.value->'validation' AS validation_schema,
  p.ordinality::int - 1 AS order_index, t.aggregate_version, t.active, t.update_ts, t.update_user
FROM tool_t t CROSS JOIN LATERAL jsonb_array_elements(
  CASE jsonb_typeof(t.body->'parameters') WHEN 'array' THEN t.body->'parameters' ELSE '[]' END) WITH ORDINALITY p;

CREATE VIEW skill_tool_v WITH (security_invoker = true) AS
SELECT s.host_id, s.project_id, s.definition_id AS skill_id, tool_named(s.host_id, s.project_id, l.value->>'tool', l.value->>'version') AS tool_id,
  l.value->>'tool' AS tool_name,
  jsonb_strip_nulls(jsonb_build_object('arguments', l.value->'arguments', 'locked', l.value->'locked')) AS config,
  coalesce(l.value->>'access', 'execute') AS access_level, s.aggregate_version, s.active, s.update_ts, s.update_user
FROM skill_t s CROSS JOIN LATERAL jsonb_array_elements(
  CASE jsonb_typeof(s.body->'tools') WHEN 'array' THEN s.body->'tools' ELSE '[]' END) l;

CREATE VIEW skill_dependency_v WITH (security_invoker = true) AS
SELECT s.host_id, s.project_id, s.definition_id AS skill_id,
  skill_named(s.host_id, s.project_id, n.value->>'skill', NULL) AS depends_on_skill_id, n.value->>'skill' AS depends_on_name,
  coalesce((n.value->>'required')::boolean, true) AS required, s.aggregate_version, s.active, s.update_ts, s.update_user
FROM skill_t s CROSS JOIN LATERAL jsonb_array_elements(
  CASE jsonb_typeof(s.body->'needs') WHEN 'array' THEN s.body->'needs' ELSE '[]' END) n;

CREATE VIEW agent_skill_v WITH (security_invoker = true) AS
SELECT a.host_id, a.project_id, a.agent_def_id, skill_named(a.host_id, a.project_id, k.value->>'name', k.value->>'version') AS skill_id,
  k.value->>'name' AS skill_name, coalesce(k.value->'config', '{}') AS config, coalesce((k.value->>'priority')::int, 0) AS priority,
  k.ordinality::int - 1 AS sequence_id, a.aggregate_version, a.active, a.update_ts, a.update_user
FROM agent_definition_t a CROSS JOIN LATERAL jsonb_array_elements(a.skills) WITH ORDINALITY k;

CREATE VIEW entity_tag_v WITH (security_invoker = true) AS
SELECT s.host_id, s.project_id, s.definition_id AS entity_id, 'skill' AS entity_type, g.value AS tag, s.active, s.update_ts, s.update_user
FROM skill_t s CROSS JOIN LATERAL jsonb_array_elements_text(
  CASE jsonb_typeof(s.body->'tags') WHEN 'array' THEN s.body->'tags' ELSE '[]' END) g;

CREATE VIEW entity_category_v WITH (security_invoker = true) AS
SELECT host_id, project_id, definition_id AS entity_id, 'skill' AS entity_type, body->>'category' AS category, active, update_ts, update_user
FROM skill_t WHERE body->>'category' IS NOT NULL;

-- Without what requests prove who they are with: that is nobody's to read here.
CREATE VIEW api_endpoint_v WITH (security_invoker = true) AS
SELECT host_id, project_id, definition_id AS endpoint_id, name, body->>'description' AS description, body->>'url' AS url,
  body->'methods' AS methods, body->'allow' AS allow, aggregate_version, active AND coalesce((body->>'enabled')::boolean, true) AS active,
  update_ts, update_user
FROM endpoint_t;

GRANT SELECT ON skill_v, tool_v, tool_param_v, skill_tool_v, skill_dependency_v, agent_skill_v, entity_tag_v, entity_category_v,
  api_endpoint_v TO "${appRole}";
