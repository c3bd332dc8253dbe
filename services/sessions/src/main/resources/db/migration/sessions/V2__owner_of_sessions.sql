-- Who owns a session: its kind and name, such as 'bot deskbot' or 'person {user id}'. Empty in rows from before 0.2.0,
-- whose owner owner_of() derives as the turn machine does.
ALTER TABLE agent_session_t ADD COLUMN owner varchar(600) NOT NULL DEFAULT '';

CREATE FUNCTION owner_of(s agent_session_t) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN s.owner <> '' THEN s.owner
    WHEN s.channel IN ('api', 'fork', 'import', 'replay', 'bench', 'web') THEN 'person ' || coalesce(s.user_id, '')
    WHEN s.channel = 'delegate' THEN 'delegate ' || regexp_replace(s.session_key, '^(.*):delegate:.*$', '\1')
    WHEN s.channel = 'workflow' THEN 'process ' || split_part(s.session_key, ':', 2)
    ELSE 'bot ' || split_part(s.session_key, ':', 1)
  END
$$;
