-- Runs after the migrations of each schema: a query of somebody who has not set app.host sees nothing, and is told why. The
-- policy lets every row pass that the others let pass. In connections of services the setting is there, if only empty.
DO $$
DECLARE
  place   text := 'SCHEMA';
  secured regclass;
BEGIN
  IF to_regprocedure(format('%I.warn_without_tenant()', place)) IS NULL THEN
    EXECUTE format($function$
      CREATE FUNCTION %I.warn_without_tenant() RETURNS boolean LANGUAGE plpgsql STABLE AS $body$
      BEGIN
        RAISE WARNING 'no row is visible: app.host is not set, and row-level security shows those of one tenant'
          USING HINT = 'SET app.host = ''*''; shows all tenants to the owner. docs/tables.md';
        RETURN true;
      END $body$ $function$, place);
  END IF;
  FOR secured IN
    SELECT c.oid FROM pg_class c
    WHERE c.relnamespace = place::regnamespace AND c.relkind IN ('r', 'p') AND c.relrowsecurity
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant_is_set')
  LOOP
    EXECUTE format(
      'CREATE POLICY tenant_is_set ON %s AS RESTRICTIVE FOR SELECT USING ((SELECT CASE WHEN'
      || ' current_setting(''app.host'', true) IS NULL THEN %I.warn_without_tenant() ELSE true END))', secured, place);
  END LOOP;
END $$;
