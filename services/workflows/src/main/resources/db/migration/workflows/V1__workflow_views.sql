-- What the workflow service keeps.
--
-- Records, written over HTTP: wf_definition_t; worklist_t and worklist_column_t, which say how people see their tasks.
-- Views, which the projector alone writes from workflow-events: process_info_t, task_info_t, task_asst_t, and
-- projection_offset_t, which says how far they are. worklist_asst_v joins tasks to worklists.
--
-- In views aggregate_version is the number, in its process, of the event that last touched the row, update_ts that event's time.
-- status_code: U not begun, A at work, W waiting, S suspended, C completed, F faulted, X cancelled; phase is the same in words.

-- project_id is null where it holds in all projects of the host. definition: as it was given, byte for byte.
CREATE TABLE wf_definition_t (
  host_id           uuid         NOT NULL,
  wf_def_id         uuid         NOT NULL,
  project_id        uuid,
  namespace         varchar(126) NOT NULL,
  name              varchar(126) NOT NULL,
  version           varchar(20)  NOT NULL,
  definition        text         NOT NULL,
  digest            text         NOT NULL, -- SHA-256 of the definition
  title             text,
  summary           text,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  created_ts        timestamptz  NOT NULL DEFAULT now(),
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, wf_def_id),
  UNIQUE NULLS NOT DISTINCT (host_id, project_id, namespace, name, version)
);

-- A definition may be deleted while its processes run, so nothing refers to it.
CREATE TABLE process_info_t (
  host_id              uuid         NOT NULL,
  process_id           uuid         NOT NULL,
  project_id           uuid         NOT NULL,
  project_key          text         NOT NULL,
  wf_def_id            uuid         NOT NULL,
  wf_instance_id       varchar(126) NOT NULL,
  workflow             text         NOT NULL, -- namespace:name:version
  app_id               varchar(512) NOT NULL DEFAULT 'global',
  process_type         varchar(126) NOT NULL DEFAULT 'workflow',
  process_subtype_code varchar(126),
  status_code          char(1)      NOT NULL CHECK (status_code IN ('U', 'A', 'W', 'S', 'C', 'F', 'X')),
  phase                varchar(16)  NOT NULL,
  next                 text         NOT NULL DEFAULT '', -- what it waits for, in a line
  started_ts           timestamptz  NOT NULL,
  started_user         varchar(256),
  ex_trigger_ts        timestamptz  NOT NULL, -- when it goes on by itself next, or went on last
  custom_status_code   varchar(126),
  completed_ts         timestamptz,
  result_code          varchar(126),
  source_id            varchar(126),
  branch_code          varchar(126),
  rr_code              varchar(126),
  party_id             varchar(126),
  party_name           varchar(126),
  counter_party_id     varchar(126),
  counter_party_name   varchar(126),
  txn_id               varchar(126),
  txn_name             varchar(126),
  product_id           varchar(126),
  product_name         varchar(126),
  product_type         varchar(126),
  group_name           varchar(126),
  subgroup_name        varchar(126),
  owning_group_name    varchar(126),
  event_start_ts       timestamptz,
  event_end_ts         timestamptz,
  event_other_ts       timestamptz,
  event_other          varchar(126),
  risk                 numeric,
  risk_scale           integer,
  price                numeric,
  price_scale          integer,
  product_qy           numeric,
  product_qy_scale     integer,
  currency_code        char(3),
  ex_ref_id            varchar(126),
  ex_ref_code          varchar(126),
  parent_process_id    uuid,
  parent_group_id      varchar(126),
  origin_id            uuid, -- the process that it repeats
  deadline_ts          timestamptz,
  -- JSON is kept as text: exactly what it was, digits and order of members too.
  input_data           text         NOT NULL,
  context_data         text,
  output_data          text,
  error_info           text,
  business             text         NOT NULL DEFAULT '{}',
  aggregate_version    bigint       NOT NULL DEFAULT 1,
  active               boolean      NOT NULL DEFAULT true,
  update_ts            timestamptz  NOT NULL DEFAULT now(),
  update_user          varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, process_id)
);
CREATE INDEX idx_process_started ON process_info_t (host_id, project_id, started_ts DESC, process_id);
CREATE INDEX idx_process_instance ON process_info_t (host_id, project_id, wf_instance_id);
CREATE INDEX idx_process_definition ON process_info_t (host_id, wf_def_id);
CREATE INDEX idx_process_parent ON process_info_t (host_id, parent_process_id) WHERE parent_process_id IS NOT NULL;
CREATE INDEX idx_process_party ON process_info_t (host_id, project_id, party_id) WHERE party_id IS NOT NULL;
CREATE INDEX idx_process_open ON process_info_t (host_id, project_id, deadline_ts) WHERE completed_ts IS NULL;

-- wf_task_id is the name in the definition, task_order the number of the run in its process. question and what follows it
-- are there where a person is asked.
CREATE TABLE task_info_t (
  host_id           uuid         NOT NULL,
  task_id           uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  task_type         varchar(126) NOT NULL,
  process_id        uuid         NOT NULL,
  wf_instance_id    varchar(126) NOT NULL,
  wf_task_id        varchar(126) NOT NULL,
  task_order        bigint       NOT NULL,
  pointer           text         NOT NULL,
  path              text         NOT NULL,
  attempt           integer      NOT NULL DEFAULT 1,
  status_code       char(1)      NOT NULL CHECK (status_code IN ('U', 'A', 'W', 'S', 'C', 'F', 'X')),
  phase             varchar(16)  NOT NULL,
  started_ts        timestamptz  NOT NULL,
  locked            char(1)      NOT NULL DEFAULT 'N' CHECK (locked IN ('Y', 'N')),
  priority          integer      NOT NULL DEFAULT 0,
  completed_ts      timestamptz,
  completed_user    varchar(256),
  result_code       varchar(126),
  locking_user      varchar(256),
  locking_role      varchar(126),
  locked_until_ts   timestamptz,
  deadline_ts       timestamptz,
  lock_group        varchar(126),
  question          text,
  user_comment      text,
  task_input        text,
  task_output       text,
  error_info        text,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, task_id),
  FOREIGN KEY (host_id, process_id) REFERENCES process_info_t ON DELETE CASCADE
);
CREATE INDEX idx_task_process ON task_info_t (host_id, process_id, task_order);
CREATE INDEX idx_task_open ON task_info_t (host_id, project_id, priority DESC, started_ts)
  WHERE question IS NOT NULL AND completed_ts IS NULL;

CREATE TABLE task_asst_t (
  host_id           uuid         NOT NULL,
  task_asst_id      uuid         NOT NULL,
  project_id        uuid         NOT NULL,
  task_id           uuid         NOT NULL,
  assigned_ts       timestamptz  NOT NULL,
  assignee_id       varchar(126) NOT NULL, -- a person's id, or role: and a name
  reason_code       varchar(126) NOT NULL,
  unassigned_ts     timestamptz,
  unassigned_reason varchar(126),
  category_code     varchar(126),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, task_asst_id),
  FOREIGN KEY (host_id, task_id) REFERENCES task_info_t ON DELETE CASCADE
);
CREATE INDEX idx_task_asst_task ON task_asst_t (host_id, task_id);
CREATE INDEX idx_task_asst_open ON task_asst_t (host_id, assignee_id, category_code) WHERE unassigned_ts IS NULL;

CREATE TABLE worklist_t (
  host_id           uuid         NOT NULL,
  assignee_id       varchar(126) NOT NULL,
  category_id       varchar(126) NOT NULL DEFAULT '(all)',
  status_code       varchar(10)  NOT NULL DEFAULT 'Active' CHECK (status_code IN ('Active', 'Inactive')),
  app_id            varchar(512) NOT NULL DEFAULT 'global',
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, assignee_id, category_id)
);

CREATE TABLE worklist_column_t (
  host_id           uuid         NOT NULL,
  assignee_id       varchar(126) NOT NULL,
  category_id       varchar(126) NOT NULL DEFAULT '(all)',
  sequence_id       integer      NOT NULL,
  column_id         varchar(126) NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, assignee_id, category_id, sequence_id),
  FOREIGN KEY (host_id, assignee_id, category_id) REFERENCES worklist_t ON DELETE CASCADE
);

CREATE VIEW worklist_asst_v WITH (security_invoker = true) AS
  SELECT w.host_id, w.assignee_id, w.category_id, w.status_code AS worklist_status, w.app_id,
    a.task_asst_id, a.task_id, a.project_id, a.category_code, a.assigned_ts, a.unassigned_ts
  FROM worklist_t w JOIN task_asst_t a ON a.host_id = w.host_id AND a.assignee_id = w.assignee_id
    AND (w.category_id = '(all)' OR a.category_code = w.category_id);

CREATE TABLE projection_offset_t (
  topic     text   NOT NULL,
  partition int    NOT NULL,
  "offset"  bigint NOT NULL,
  PRIMARY KEY (topic, partition)
);

ALTER TABLE wf_definition_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON wf_definition_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE process_info_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON process_info_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE task_info_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON task_info_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE task_asst_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON task_asst_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE worklist_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON worklist_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE worklist_column_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON worklist_column_t USING (${ofHost}) WITH CHECK (${ofHost});

GRANT USAGE ON SCHEMA workflows TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON wf_definition_t, process_info_t, task_info_t, task_asst_t, worklist_t, worklist_column_t
  TO "${appRole}";
GRANT SELECT ON worklist_asst_v TO "${appRole}";
GRANT SELECT, INSERT, UPDATE ON projection_offset_t TO "${appRole}";
