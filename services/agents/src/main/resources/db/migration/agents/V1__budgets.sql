-- What model calls have used, and what those that are being made may use. Counted here as calls end; what each call cost stands
-- on the topic turn-events as well. Amounts are billionths of a US dollar.

-- A row a host, project or person. Each period has its counter, so that a budget may change its period at any time. day and
-- month say which ones the counters are of, in UTC: of a later one nothing is used yet.
CREATE TABLE budget_t (
  host_id           uuid         NOT NULL,
  scope             varchar(10)  NOT NULL CHECK (scope IN ('host', 'project', 'user')),
  scope_id          uuid         NOT NULL,
  day               date         NOT NULL,
  day_nanos         bigint       NOT NULL DEFAULT 0,
  day_tokens        bigint       NOT NULL DEFAULT 0,
  month             date         NOT NULL CHECK (extract(day FROM month) = 1),
  month_nanos       bigint       NOT NULL DEFAULT 0,
  month_tokens      bigint       NOT NULL DEFAULT 0,
  total_nanos       bigint       NOT NULL DEFAULT 0,
  total_tokens      bigint       NOT NULL DEFAULT 0,
  unpriced          bigint       NOT NULL DEFAULT 0, -- calls whose cost is not known, and so in none of the others
  reserved_nanos    bigint       NOT NULL DEFAULT 0 CHECK (reserved_nanos >= 0),
  reserved_tokens   bigint       NOT NULL DEFAULT 0 CHECK (reserved_tokens >= 0),
  aggregate_version bigint       NOT NULL DEFAULT 1,
  active            boolean      NOT NULL DEFAULT true,
  update_ts         timestamptz  NOT NULL DEFAULT now(),
  update_user       varchar(256) NOT NULL DEFAULT 'parley',
  PRIMARY KEY (host_id, scope, scope_id)
);

-- What a call that is being made may use, a row for each of whom it counts for. It is gone when the call has ended. One whose
-- worker is silent expires: it holds nothing any more, and counts all the same should its worker still come back.
CREATE TABLE budget_reservation_t (
  host_id           uuid         NOT NULL,
  reservation_id    uuid         NOT NULL,
  scope             varchar(10)  NOT NULL,
  scope_id          uuid         NOT NULL,
  call_id           uuid         NOT NULL,
  attempt           int          NOT NULL,
  nanos             bigint       NOT NULL,
  tokens            bigint       NOT NULL,
  expires_ts        timestamptz  NOT NULL,
  expired           boolean      NOT NULL DEFAULT false,
  PRIMARY KEY (host_id, reservation_id, scope),
  FOREIGN KEY (host_id, scope, scope_id) REFERENCES budget_t
);
CREATE INDEX idx_reservations_expires ON budget_reservation_t (expires_ts);
CREATE INDEX idx_reservations_budget ON budget_reservation_t (host_id, scope, scope_id);

ALTER TABLE budget_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON budget_t USING (${ofHost}) WITH CHECK (${ofHost});
ALTER TABLE budget_reservation_t ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON budget_reservation_t USING (${ofHost}) WITH CHECK (${ofHost});

GRANT USAGE ON SCHEMA agents TO "${appRole}";
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_t, budget_reservation_t TO "${appRole}";
