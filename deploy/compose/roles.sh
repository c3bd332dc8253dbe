#!/bin/sh
# Runs once, when the database is created: the login role of the application, to which row-level security applies.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_APP_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
CREATE ROLE parley_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS PASSWORD :'password';
ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF;
SQL
