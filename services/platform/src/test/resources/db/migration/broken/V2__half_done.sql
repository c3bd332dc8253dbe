CREATE TABLE half_t (host_id uuid NOT NULL);
ALTER TABLE note_t ADD COLUMN colour text NOT NULL DEFAULT 'blue';
UPDATE note_t SET text = 'changed';
INSERT INTO note_t (host_id) VALUES ('00000000-0000-0000-0000-000000000002');
