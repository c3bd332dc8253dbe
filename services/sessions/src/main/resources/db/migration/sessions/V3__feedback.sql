-- What people think of turns: one row a person and reaction, whose newest opinion counts. A view, written by the
-- projector alone.
CREATE TABLE turn_feedback_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  session_id        uuid         NOT NULL,
  turn_id           uuid         NOT NULL,
  user_id           varchar(256) NOT NULL,
  emoji             varchar(100) NOT NULL,        -- the reaction; empty for thumbs
  opinion           varchar(9)   NOT NULL CHECK (opinion IN ('good', 'bad', 'other', 'withdrawn')),
  reason            text,
  given_ts          timestamptz  NOT NULL,
  aggregate_version bigint       NOT NULL,
  active            boolean      NOT NULL GENERATED ALWAYS AS (opinion <> 'withdrawn') STORED,
  update_ts         timestamptz  NOT NULL,
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, turn_id, user_id, emoji),
  FOREIGN KEY (host_id, project_id, session_id, turn_id)
    REFERENCES agent_turn_t (host_id, project_id, session_id, turn_id) ON DELETE CASCADE
);
CREATE INDEX idx_feedback_session ON turn_feedback_t (host_id, project_id, session_id, turn_id);
CREATE INDEX idx_feedback_opinion ON turn_feedback_t (host_id, project_id, opinion, turn_id) WHERE active;
ALTER TABLE turn_feedback_t ALTER reason SET STATISTICS 0;
ALTER TABLE turn_feedback_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON turn_feedback_t USING (${ofProject}) WITH CHECK (${ofProject});
GRANT SELECT, INSERT, UPDATE, DELETE ON turn_feedback_t TO "${appRole}";
