-- Turns by hour and agent, from turn-events.json. jsonTopics of Parley:
--   - { topic: turn-events, types: [TurnStarted, TurnCompleted, TurnFailed] }
-- Flink needs flink-sql-connector-kafka and flink-json beside it.

SET 'execution.checkpointing.interval' = '10 s';
SET 'table.exec.state.ttl' = '2 d';
SET 'table.local-time-zone' = 'UTC';

-- Fields that a record does not have are null. The topic is compacted: a record replaces the one of its key, so what is
-- mirrored anew counts once, and a tombstone takes out what was erased (within two days, for which state is kept).
CREATE TABLE turn_events (
  `event` STRING,
  `@type` STRING,
  `meta` ROW<`turnId` STRING, `at` TIMESTAMP_LTZ(6)>,
  `agent` STRING,
  `usage` ROW<`costNanos` BIGINT>,
  PRIMARY KEY (`event`) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = 'turn-events.json',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.group.id' = 'flink-turns',
  'properties.isolation.level' = 'read_committed',
  'key.format' = 'raw',
  'value.format' = 'json',
  'value.json.timestamp-format.standard' = 'ISO-8601',
  'value.fields-include' = 'EXCEPT_KEY'
);

-- Rows are replaced while their hour goes on: a sink in place of this one takes them by their key.
CREATE TABLE turns_by_hour (
  `hour` TIMESTAMP_LTZ(6),
  `agent` STRING,
  `completed` BIGINT,
  `failed` BIGINT,
  `seconds` DOUBLE,
  `dollars` DOUBLE,
  PRIMARY KEY (`hour`, `agent`) NOT ENFORCED
) WITH (
  'connector' = 'print'
);

-- No windows: they would wait for the longest turn that there may be before they say anything.
INSERT INTO turns_by_hour
SELECT
  FLOOR(ended.`meta`.`at` TO HOUR),
  started.`agent`,
  COUNT(*) FILTER (WHERE ended.`@type` = 'TurnCompleted'),
  COUNT(*) FILTER (WHERE ended.`@type` = 'TurnFailed'),
  AVG(TIMESTAMPDIFF(SECOND, started.`meta`.`at`, ended.`meta`.`at`) * 1e0),
  SUM(ended.`usage`.`costNanos` / 1e9)
FROM turn_events AS started
JOIN turn_events AS ended
  ON started.`meta`.`turnId` = ended.`meta`.`turnId`
WHERE started.`@type` = 'TurnStarted'
  AND ended.`@type` IN ('TurnCompleted', 'TurnFailed')
GROUP BY FLOOR(ended.`meta`.`at` TO HOUR), started.`agent`;
