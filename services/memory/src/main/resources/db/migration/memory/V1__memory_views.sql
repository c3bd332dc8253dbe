-- What the memory service keeps.
--
-- Views: what memory-events say, written by the projector alone. Recall does not read them: they are for people and for SQL.
--   agent_memory_bank_t, agent_memory_doc_t, agent_memory_unit_t, agent_memory_entity_t, agent_memory_unit_entity_t,
--   agent_memory_entity_cooccur_t, agent_memory_link_t, agent_memory_directive_t, agent_memory_reflection_t,
--   agent_memory_unit_source_t, agent_memory_mental_model_t, agent_memory_unit_version_t, agent_memory_erasure_t, and
--   projection_offset_t, which says how far they are.
-- Ledgers: agent_memory_operation_t, written by whoever gives documents over HTTP; deleted_agent_t, whose banks have ended.
--
-- aggregate_version is the number, in its bank, of the event that last touched the row, update_ts that event's time. Every
-- key begins with the host and the bank. project_id is null in a bank of a whole host and in all that is in it: such rows are
-- seen by who sees all projects of the host.

-- aggregate_version is the number of the bank's last event: an event that is not above it changes nothing.
CREATE TABLE agent_memory_bank_t (
  host_id           uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  project_key       text,        -- projects, agents and people are named by words in events, so they are here
  agent             text,        -- null where it is for all agents
  agent_id          uuid,        -- of an agent that can be deleted, with which the bank ends; else null
  user_id           text,        -- null where it is for everybody
  branch            text,        -- null where it is a bank itself, and no branch of one
  origin_id         uuid,        -- the bank that it is a branch of, or null
  bank_name         varchar(126) NOT NULL,
  disposition       jsonb        NOT NULL DEFAULT '{"skepticism": 3, "literalism": 3, "empathy": 3}',
  background        text,
  model             text,        -- which it reflects and consolidates with, provider/model; null: rules
  generation        text,        -- the model of the vectors in agent_memory_unit_t.embedding; null before the first
  other_generation  text,        -- that of other_embedding: it is being made, or was searched before; null for none
  other_units       bigint       NOT NULL DEFAULT 0, -- vectors of it so far, those of earlier versions of units too
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true, -- false: all that was in it is forgotten
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id),
  CHECK ((project_id IS NULL) = (project_key IS NULL)),
  CHECK ((project_id IS NULL) = (agent IS NULL AND user_id IS NULL))
);
CREATE INDEX idx_mem_bank_agent ON agent_memory_bank_t (host_id, agent_id) WHERE agent_id IS NOT NULL;
CREATE INDEX idx_mem_bank_owner ON agent_memory_bank_t (host_id, project_id, user_id, agent);

-- metadata: session, turn and its number, context, tags, when it was said, of what sides its text is made, and of what chunks;
-- and the command that gave it. waiting: hashes of the chunks that nobody has read yet.
CREATE TABLE agent_memory_doc_t (
  host_id           uuid         NOT NULL,
  doc_id            uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  original_text     text,
  content_hash      text,
  metadata          jsonb        NOT NULL DEFAULT '{}',
  waiting           text[]       NOT NULL DEFAULT '{}',
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, doc_id),
  FOREIGN KEY (host_id, bank_id) REFERENCES agent_memory_bank_t ON DELETE CASCADE
);
CREATE INDEX idx_mem_doc_bank ON agent_memory_doc_t (host_id, bank_id, aggregate_version DESC);
CREATE INDEX idx_mem_doc_waiting ON agent_memory_doc_t (host_id, bank_id) WHERE waiting <> '{}';

-- event_date puts units in order: when it happened, or else was said. occurred_* alone say when it happened.
-- metadata: version, confidence, tags, what made the vector; where it was found (session, turn, part and span of the document)
-- and by what (extractor, prompt, model); and why it was changed or is held to be true no more.
CREATE TABLE agent_memory_unit_t (
  host_id           uuid         NOT NULL,
  unit_id           uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  doc_id            uuid,
  content           text         NOT NULL,
  context           text,
  event_date        timestamptz  NOT NULL DEFAULT now(),
  occurred_start    timestamptz,
  occurred_end      timestamptz,
  mentioned_at      timestamptz,
  fact_type         varchar(32)  NOT NULL DEFAULT 'world'
                    CHECK (fact_type IN ('world', 'experience', 'opinion', 'observation', 'mental_model')),
  metadata          jsonb        NOT NULL DEFAULT '{}',
  proof_count       int          NOT NULL DEFAULT 1,
  source_memory_ids uuid[]       NOT NULL DEFAULT '{}',
  aggregate_version bigint       NOT NULL DEFAULT 1,
  other_vectors     int          NOT NULL DEFAULT 0, -- how many of the other generation it got, those of its earlier versions too
  active            boolean      NOT NULL DEFAULT true, -- false: it is held to be true no more
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, unit_id),
  FOREIGN KEY (host_id, bank_id) REFERENCES agent_memory_bank_t ON DELETE CASCADE,
  FOREIGN KEY (host_id, bank_id, doc_id) REFERENCES agent_memory_doc_t ON DELETE CASCADE
);
CREATE INDEX idx_mem_unit_bank ON agent_memory_unit_t (host_id, bank_id, event_date DESC, unit_id) WHERE active;
CREATE INDEX idx_mem_unit_retired ON agent_memory_unit_t (host_id, bank_id, event_date DESC, unit_id) WHERE NOT active;
CREATE INDEX idx_mem_unit_doc ON agent_memory_unit_t (host_id, bank_id, doc_id);
CREATE INDEX idx_mem_unit_sources ON agent_memory_unit_t USING gin (source_memory_ids); -- for whom no policy holds

-- What is made of what: source_memory_ids as rows. Policies keep operators of arrays from an index, for they are not leakproof.
CREATE TABLE agent_memory_unit_source_t (
  host_id    uuid NOT NULL,
  bank_id    uuid NOT NULL,
  source_id  uuid NOT NULL,
  unit_id    uuid NOT NULL,
  project_id uuid,
  PRIMARY KEY (host_id, bank_id, source_id, unit_id),
  FOREIGN KEY (host_id, bank_id, source_id) REFERENCES agent_memory_unit_t ON DELETE CASCADE,
  FOREIGN KEY (host_id, bank_id, unit_id) REFERENCES agent_memory_unit_t ON DELETE CASCADE
);
CREATE INDEX idx_mem_unit_source_unit ON agent_memory_unit_source_t (unit_id, host_id, bank_id);

-- Of several with one name the one with the lowest id is active. All of it follows from agent_memory_unit_entity_t.
CREATE TABLE agent_memory_entity_t (
  host_id           uuid         NOT NULL,
  entity_id         uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  user_id           text,        -- the person of the platform that it is, where somebody said so
  canonical_name    text         NOT NULL,
  name_key          text         NOT NULL GENERATED ALWAYS AS (lower(canonical_name)) STORED, -- lower is not leakproof: policies keep it from an index
  mention_count     int          NOT NULL DEFAULT 1,
  metadata          jsonb        NOT NULL DEFAULT '{}',
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, entity_id),
  FOREIGN KEY (host_id, bank_id) REFERENCES agent_memory_bank_t ON DELETE CASCADE
);
CREATE UNIQUE INDEX uq_mem_entity_name ON agent_memory_entity_t (host_id, bank_id, name_key) WHERE active;
CREATE INDEX idx_mem_entity_name ON agent_memory_entity_t (host_id, bank_id, name_key, entity_id);
CREATE INDEX idx_mem_entity_mentions ON agent_memory_entity_t (host_id, bank_id, mention_count DESC, entity_id);

-- name, aggregate_version and update_ts: what the entity was called when the unit was learned, and by which event.
CREATE TABLE agent_memory_unit_entity_t (
  host_id           uuid        NOT NULL,
  bank_id           uuid        NOT NULL,
  unit_id           uuid        NOT NULL,
  entity_id         uuid        NOT NULL,
  project_id        uuid,
  name              text        NOT NULL,
  aggregate_version bigint      NOT NULL DEFAULT 1,
  update_ts         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, bank_id, unit_id, entity_id),
  FOREIGN KEY (host_id, bank_id, unit_id) REFERENCES agent_memory_unit_t ON DELETE CASCADE,
  FOREIGN KEY (host_id, bank_id, entity_id) REFERENCES agent_memory_entity_t ON DELETE CASCADE
);
CREATE INDEX idx_mem_unit_entity_entity ON agent_memory_unit_entity_t (host_id, bank_id, entity_id, aggregate_version DESC, unit_id DESC);

-- How many units are about both, and when the newest of them happened or was said. It follows from agent_memory_unit_entity_t.
CREATE TABLE agent_memory_entity_cooccur_t (
  host_id           uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  entity_id_1       uuid         NOT NULL,
  entity_id_2       uuid         NOT NULL,
  cooccur_count     int          NOT NULL DEFAULT 1,
  last_cooccurred   timestamptz  NOT NULL DEFAULT now(),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, entity_id_1, entity_id_2),
  CONSTRAINT entity_cooccur_order_check CHECK (entity_id_1 < entity_id_2),
  FOREIGN KEY (host_id, bank_id, entity_id_1) REFERENCES agent_memory_entity_t ON DELETE CASCADE,
  FOREIGN KEY (host_id, bank_id, entity_id_2) REFERENCES agent_memory_entity_t ON DELETE CASCADE
);
CREATE INDEX idx_mem_cooccur_e1 ON agent_memory_entity_cooccur_t (host_id, bank_id, entity_id_1, cooccur_count DESC);
CREATE INDEX idx_mem_cooccur_e2 ON agent_memory_entity_cooccur_t (host_id, bank_id, entity_id_2, cooccur_count DESC);

-- Links of the type entity are not stored: agent_memory_entity_link_v has them.
CREATE TABLE agent_memory_link_t (
  host_id           uuid             NOT NULL,
  bank_id           uuid             NOT NULL,
  project_id        uuid,
  from_unit_id      uuid             NOT NULL,
  to_unit_id        uuid             NOT NULL,
  link_type         varchar(32)      NOT NULL,
  weight            double precision NOT NULL DEFAULT 1.0 CHECK (weight BETWEEN 0 AND 1),
  aggregate_version bigint           NOT NULL DEFAULT 1,
  active            boolean          NOT NULL DEFAULT true,
  update_ts         timestamptz      NOT NULL DEFAULT now(),
  update_user       varchar(256)     NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, from_unit_id, to_unit_id, link_type),
  CONSTRAINT memory_links_type_check CHECK (link_type IN ('temporal', 'semantic', 'entity', 'causes', 'caused_by', 'enables', 'prevents')),
  CONSTRAINT memory_links_self_check CHECK (from_unit_id <> to_unit_id),
  FOREIGN KEY (host_id, bank_id, from_unit_id) REFERENCES agent_memory_unit_t ON DELETE CASCADE,
  FOREIGN KEY (host_id, bank_id, to_unit_id) REFERENCES agent_memory_unit_t ON DELETE CASCADE
);
CREATE INDEX idx_mem_link_to ON agent_memory_link_t (host_id, bank_id, to_unit_id, link_type);

CREATE TABLE agent_memory_directive_t (
  host_id           uuid         NOT NULL,
  directive_id      uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  name              varchar(256) NOT NULL,
  content           text         NOT NULL,
  priority          int          NOT NULL DEFAULT 0,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, directive_id),
  FOREIGN KEY (host_id, bank_id) REFERENCES agent_memory_bank_t ON DELETE CASCADE
);

-- source_ids: units and documents that the answer cites. metadata: basedOn, the units and passages, in the order of their numbers;
-- tags, session; what answered (how, prompt, model), how often a model was asked and what that cost.
CREATE TABLE agent_memory_reflection_t (
  host_id           uuid         NOT NULL,
  reflection_id     uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  question          text         NOT NULL DEFAULT '',
  content           text         NOT NULL,
  source_ids        uuid[]       NOT NULL DEFAULT '{}',
  metadata          jsonb        NOT NULL DEFAULT '{}',
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true, -- false: it rests on what is held to be true no more
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, reflection_id),
  FOREIGN KEY (host_id, bank_id) REFERENCES agent_memory_bank_t ON DELETE CASCADE
);

-- Receipts: what was erased. They stay where the tables are made anew, for nobody could count again what is gone.
CREATE TABLE agent_memory_erasure_t (
  host_id           uuid         NOT NULL,
  erasure_id        uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  whole             boolean      NOT NULL, -- all that the bank knew
  documents         int          NOT NULL,
  units             int          NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, erasure_id)
);
CREATE INDEX idx_mem_erasure_bank ON agent_memory_erasure_t (host_id, bank_id, aggregate_version DESC);

-- What became of documents that were given over HTTP, for a week: whoever gave one asks for it by the id of its command.
CREATE TABLE agent_memory_operation_t (
  host_id      uuid         NOT NULL,
  operation_id uuid         NOT NULL,
  bank_id      uuid         NOT NULL,
  project_id   uuid,
  doc_id       uuid         NOT NULL,
  state        varchar(16)  NOT NULL CHECK (state IN ('given', 'taken', 'refused')), -- given: nobody has heard what became of it
  code         text,
  message      text,
  update_ts    timestamptz  NOT NULL DEFAULT now(),
  update_user  varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, operation_id)
);
CREATE INDEX idx_mem_operation_bank ON agent_memory_operation_t (host_id, bank_id, update_ts);

-- Agents that were deleted, as long as words for their banks may still be on their way.
CREATE TABLE deleted_agent_t (
  host_id    uuid         NOT NULL,
  agent_id   uuid         NOT NULL,
  deleted_ts timestamptz  NOT NULL,
  PRIMARY KEY (host_id, agent_id)
);

-- Questions that a bank always has an answer to. The answer is the unit of the same id.
CREATE TABLE agent_memory_mental_model_t (
  host_id           uuid         NOT NULL,
  mental_model_id   uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  name              varchar(256) NOT NULL,
  question          text         NOT NULL,
  tags              jsonb        NOT NULL DEFAULT '[]',
  rest_ms           bigint       NOT NULL,
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, bank_id, mental_model_id),
  FOREIGN KEY (host_id, bank_id) REFERENCES agent_memory_bank_t ON DELETE CASCADE
);

-- What opinions and mental models said before, and how sure that was: the last 50 versions of each, the one of now included.
CREATE TABLE agent_memory_unit_version_t (
  host_id           uuid         NOT NULL,
  unit_id           uuid         NOT NULL,
  bank_id           uuid         NOT NULL,
  project_id        uuid,
  version           int          NOT NULL,
  content           text         NOT NULL,
  metadata          jsonb        NOT NULL DEFAULT '{}',
  aggregate_version bigint       NOT NULL DEFAULT 1,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  PRIMARY KEY (host_id, bank_id, unit_id, version),
  FOREIGN KEY (host_id, bank_id, unit_id) REFERENCES agent_memory_unit_t ON DELETE CASCADE
);

-- What units mean: NULL where their model makes vectors of another length, which stand in the events and the index. Where the extension vector (pgvector, 0.5 or later) is installed or may be, the columns are of its type and
-- have an index; elsewhere they are plain numbers. What is written casts to both.
DO $$
DECLARE
  place text;
BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') THEN
    BEGIN
      CREATE EXTENSION IF NOT EXISTS vector;
    EXCEPTION WHEN insufficient_privilege THEN
      RAISE NOTICE 'the extension vector may not be created: vectors are kept as plain numbers';
    END;
  END IF;
  SELECT n.nspname INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
  IF place IS NULL THEN
    ALTER TABLE agent_memory_unit_t ADD COLUMN embedding real[] CHECK (cardinality(embedding) = 384);
    ALTER TABLE agent_memory_unit_t ADD COLUMN other_embedding real[] CHECK (cardinality(other_embedding) = 384);
    ALTER TABLE agent_memory_reflection_t ADD COLUMN embedding real[] CHECK (cardinality(embedding) = 384);
    ALTER TABLE agent_memory_reflection_t ADD COLUMN other_embedding real[] CHECK (cardinality(other_embedding) = 384);
    -- Nothing makes such numbers shorter: Postgres need not try.
    ALTER TABLE agent_memory_unit_t ALTER COLUMN embedding SET STORAGE EXTERNAL, ALTER COLUMN other_embedding SET STORAGE EXTERNAL;
    ALTER TABLE agent_memory_reflection_t ALTER COLUMN embedding SET STORAGE EXTERNAL, ALTER COLUMN other_embedding SET STORAGE EXTERNAL;
  ELSE
    EXECUTE format('ALTER TABLE agent_memory_unit_t ADD COLUMN embedding %I.vector(384)', place);
    EXECUTE format('ALTER TABLE agent_memory_unit_t ADD COLUMN other_embedding %I.vector(384)', place);
    EXECUTE format('ALTER TABLE agent_memory_reflection_t ADD COLUMN embedding %I.vector(384)', place);
    EXECUTE format('ALTER TABLE agent_memory_reflection_t ADD COLUMN other_embedding %I.vector(384)', place);
    EXECUTE format('CREATE INDEX idx_mem_unit_embedding ON agent_memory_unit_t USING hnsw (embedding %I.vector_cosine_ops)', place);
    EXECUTE format('CREATE INDEX idx_mem_reflection_embedding ON agent_memory_reflection_t USING hnsw (embedding %I.vector_cosine_ops)', place);
  END IF;
END $$;

-- Units that are about the same person or thing, once for each that they share. Whoever asks sees what they see in the tables.
CREATE VIEW agent_memory_entity_link_v WITH (security_invoker = true) AS
SELECT a.host_id, a.bank_id, a.project_id, a.unit_id AS from_unit_id, b.unit_id AS to_unit_id, a.entity_id,
       'entity'::varchar(32) AS link_type, 1.0::double precision AS weight
FROM agent_memory_unit_entity_t a
JOIN agent_memory_unit_entity_t b
  ON b.host_id = a.host_id AND b.bank_id = a.bank_id AND b.entity_id = a.entity_id AND b.unit_id <> a.unit_id
JOIN agent_memory_unit_t f ON f.host_id = a.host_id AND f.bank_id = a.bank_id AND f.unit_id = a.unit_id AND f.active
JOIN agent_memory_unit_t t ON t.host_id = b.host_id AND t.bank_id = b.bank_id AND t.unit_id = b.unit_id AND t.active;

-- What a branch and the bank that it is one of do not both hold to be true, or not in the same words or not as often.
CREATE VIEW agent_memory_branch_diff_v WITH (security_invoker = true) AS
SELECT b.host_id, b.project_id, b.origin_id AS bank_id, b.bank_id AS branch_id, u.unit_id,
       CASE WHEN o.unit_id IS NULL THEN 'only_branch' ELSE 'changed' END AS difference,
       o.content AS bank_content, u.content AS branch_content
FROM agent_memory_bank_t b
JOIN agent_memory_unit_t u ON u.host_id = b.host_id AND u.bank_id = b.bank_id AND u.active
LEFT JOIN agent_memory_unit_t o
  ON o.host_id = b.host_id AND o.bank_id = b.origin_id AND o.unit_id = u.unit_id AND o.active
WHERE b.origin_id IS NOT NULL AND b.active
  AND (o.unit_id IS NULL OR (o.content, o.fact_type, o.proof_count) IS DISTINCT FROM (u.content, u.fact_type, u.proof_count))
UNION ALL
SELECT b.host_id, b.project_id, b.origin_id, b.bank_id, o.unit_id, 'only_bank', o.content, NULL
FROM agent_memory_bank_t b
JOIN agent_memory_unit_t o ON o.host_id = b.host_id AND o.bank_id = b.origin_id AND o.active
WHERE b.active AND NOT EXISTS (
  SELECT FROM agent_memory_unit_t u
  WHERE u.host_id = b.host_id AND u.bank_id = b.bank_id AND u.unit_id = o.unit_id AND u.active);

-- How far the views are in each partition: where the projector goes on. It belongs to no host.
CREATE TABLE projection_offset_t (
  topic     varchar(249) NOT NULL,
  partition int          NOT NULL,
  "offset"  bigint       NOT NULL CHECK ("offset" >= 0),
  PRIMARY KEY (topic, partition)
);

-- Indexes and foreign keys that a replay has dropped and makes again at its end; empty but for that time. It belongs to no host,
-- and only the owner of the tables writes it.
CREATE TABLE replay_deferred_t (
  definition text PRIMARY KEY
);

-- A transaction sees and writes the rows of the host, and of the project, that it has set.
ALTER TABLE agent_memory_bank_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_bank_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_doc_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_doc_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_unit_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_unit_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_unit_source_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_unit_source_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_entity_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_entity_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_unit_entity_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_unit_entity_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_entity_cooccur_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_entity_cooccur_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_link_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_link_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_directive_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_directive_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_reflection_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_reflection_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_mental_model_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_mental_model_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_unit_version_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_unit_version_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_erasure_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_erasure_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE agent_memory_operation_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_memory_operation_t USING (${ofProject}) WITH CHECK (${ofProject});
ALTER TABLE deleted_agent_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON deleted_agent_t USING (${ofHost}) WITH CHECK (${ofHost});

GRANT USAGE ON SCHEMA memory TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON agent_memory_bank_t, agent_memory_doc_t, agent_memory_unit_t, agent_memory_unit_source_t,
  agent_memory_entity_t, agent_memory_unit_entity_t, agent_memory_entity_cooccur_t, agent_memory_link_t, agent_memory_directive_t,
  agent_memory_reflection_t, agent_memory_mental_model_t,
  agent_memory_unit_version_t, agent_memory_erasure_t, agent_memory_operation_t TO "${appRole}";
GRANT SELECT, INSERT, DELETE ON deleted_agent_t TO "${appRole}";
GRANT SELECT ON agent_memory_entity_link_v, agent_memory_branch_diff_v TO "${appRole}";
GRANT SELECT ON replay_deferred_t TO "${appRole}";
GRANT SELECT, INSERT, UPDATE ON projection_offset_t TO "${appRole}";
