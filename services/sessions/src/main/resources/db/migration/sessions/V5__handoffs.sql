-- Conversations that people answer, or are asked to answer, in the agent's place. A view, written by the projector alone.
CREATE TABLE handoff_t (
  host_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  session_id        uuid         NOT NULL,
  handoff_id        uuid         NOT NULL,
  status            varchar(8)   NOT NULL CHECK (status IN ('asked', 'taken', 'returned', 'expired', 'ended')),
  asked_by          varchar(256),
  reason            text         NOT NULL,        -- empty for none
  operator_id       varchar(256),
  operator_name     varchar(100) NOT NULL,        -- as shown in the conversation; empty for none
  asked_ts          timestamptz  NOT NULL,
  taken_ts          timestamptz,
  ended_ts          timestamptz,
  aggregate_version bigint       NOT NULL,
  active            boolean      NOT NULL GENERATED ALWAYS AS (status IN ('asked', 'taken')) STORED,
  update_ts         timestamptz  NOT NULL,
  update_user       varchar(256) NOT NULL,
  PRIMARY KEY (host_id, session_id, handoff_id),
  FOREIGN KEY (host_id, project_id, session_id)
    REFERENCES agent_session_t (host_id, project_id, session_id) ON DELETE CASCADE
);
CREATE INDEX idx_handoff_open ON handoff_t (host_id, project_id, asked_ts, handoff_id) WHERE active;
ALTER TABLE handoff_t ALTER reason SET STATISTICS 0;
ALTER TABLE handoff_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON handoff_t USING (${ofProject}) WITH CHECK (${ofProject});
GRANT SELECT, INSERT, UPDATE, DELETE ON handoff_t TO "${appRole}";
