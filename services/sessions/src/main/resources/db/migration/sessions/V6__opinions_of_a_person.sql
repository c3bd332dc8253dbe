-- A person's opinions, for the export of their data.
CREATE INDEX idx_feedback_user ON turn_feedback_t (host_id, user_id, given_ts);
