CREATE TABLE note_t (host_id uuid NOT NULL, text text NOT NULL);
ALTER TABLE note_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON note_t USING (${ofHost}) WITH CHECK (${ofHost});
GRANT USAGE ON SCHEMA notes TO "${appRole}";
GRANT SELECT, INSERT ON note_t TO "${appRole}";
