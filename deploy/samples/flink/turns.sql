-- Turns by hour and agent, from turn-events.json. jsonTopics of Parley:
--   - { topic: turn-events, types: [TurnStarted, TurnCompleted, TurnFailed] }
-- Flink needs flink-sql-connector-kafka and flink-sql-json beside it.

SET 'execution.checkpointing.interval' = '10 s';
SET 'table.exec.state.ttl' = '2 d';
SET 'table.exec.source.idle-timeout' = '30 s';

-- Fields that a record does not have are null. Erased events are tombstones, which this connector passes over.
CREATE TABLE turn_events (
  `@type` STRING,
  `meta` ROW<`key` STRING, `turnId` STRING, `at` TIMESTAMP_LTZ(6)>,
  `agent` STRING,
  `category` STRING,
  `model` STRING,
  `reply` STRING,
  `usage` ROW<`input` BIGINT, `output` BIGINT, `costNanos` BIGINT>,
  `happened` AS CAST(`meta`.`at` AS TIMESTAMP_LTZ(3)),
  WATERMARK FOR `happened` AS `happened` - INTERVAL '10' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = 'turn-events.json',
  'properties.bootstrap.servers' = '127.0.0.1:9092',
  'properties.group.id' = 'flink-turns',
  'properties.isolation.level' = 'read_committed',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json',
  'json.timestamp-format.standard' = 'ISO-8601'
);

CREATE TABLE turns_by_hour (
  `hour` TIMESTAMP_LTZ(3),
  `agent` STRING,
  `completed` BIGINT,
  `failed` BIGINT,
  `seconds` DOUBLE,
  `dollars` DOUBLE
) WITH (
  'connector' = 'print'
);

-- A turn starts and ends in one session, so the two events meet within the longest turn.
CREATE TEMPORARY VIEW turns AS
SELECT
  ended.`happened`,
  started.`agent`,
  ended.`@type` AS `end`,
  TIMESTAMPDIFF(SECOND, started.`happened`, ended.`happened`) AS `seconds`,
  ended.`usage`.`costNanos` / 1e9 AS `dollars`
FROM turn_events AS started
JOIN turn_events AS ended
  ON started.`meta`.`turnId` = ended.`meta`.`turnId`
WHERE started.`@type` = 'TurnStarted'
  AND ended.`@type` IN ('TurnCompleted', 'TurnFailed')
  AND ended.`happened` BETWEEN started.`happened` AND started.`happened` + INTERVAL '1' DAY;

INSERT INTO turns_by_hour
SELECT
  window_start,
  `agent`,
  COUNT(*) FILTER (WHERE `end` = 'TurnCompleted'),
  COUNT(*) FILTER (WHERE `end` = 'TurnFailed'),
  AVG(CAST(`seconds` AS DOUBLE)),
  SUM(`dollars`)
FROM TABLE(TUMBLE(TABLE turns, DESCRIPTOR(`happened`), INTERVAL '1' HOUR))
GROUP BY window_start, window_end, `agent`;
