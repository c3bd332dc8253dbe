-- A project's id is one over all hosts, whatever the form of its key: what is named by it (sessions, files, exports, members,
-- locks) belongs to one project. An import could make another project with the id of one, in upper case or as the id that
-- follows from a name; of two such projects the older one stays, and the other one is removed with its members and
-- definitions. Nothing of the older one is touched: its rows have another host.
DELETE FROM project_t p USING project_t o
WHERE o.project_id = p.project_id AND (o.created_ts, o.project_key) < (p.created_ts, p.project_key);
CREATE UNIQUE INDEX idx_projects_id ON project_t (project_id);
