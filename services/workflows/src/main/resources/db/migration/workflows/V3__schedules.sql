-- Which change of the versions of a workflow its schedule has taken over.
--
-- revision: that of the last publication or deletion of the version, which grows from change to change among the versions of a name. confirmed:
-- the revision that the schedule has confirmed; where it is lower, the schedule is sent again. imported: not published since an import, so
-- that its schedule does not run yet.
ALTER TABLE wf_definition_t
  ADD COLUMN revision bigint NOT NULL DEFAULT 0,
  ADD COLUMN confirmed bigint NOT NULL DEFAULT 0,
  ADD COLUMN imported boolean NOT NULL DEFAULT false;
CREATE INDEX idx_definition_unconfirmed ON wf_definition_t (update_ts) WHERE confirmed < revision;
