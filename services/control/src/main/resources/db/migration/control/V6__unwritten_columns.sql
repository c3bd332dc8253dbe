-- An entry has an action, a subject and a key, and no fourth word (docs/decisions/0087).
ALTER TABLE audit_log_t DROP COLUMN message3;

-- The configuration of a skill is stored as the text of a JSON object, and seen as this object.
CREATE OR REPLACE VIEW agent_skill_v WITH (security_invoker = true) AS
SELECT a.host_id, a.project_id, a.agent_def_id, skill_named(a.host_id, a.project_id, k.value->>'name', k.value->>'version') AS skill_id,
  k.value->>'name' AS skill_name, coalesce((k.value->>'config')::jsonb, '{}') AS config, coalesce((k.value->>'priority')::int, 0) AS priority,
  k.ordinality::int - 1 AS sequence_id, a.aggregate_version, a.active, a.update_ts, a.update_user
FROM agent_definition_t a CROSS JOIN LATERAL jsonb_array_elements(a.skills) WITH ORDINALITY k;
