-- What each table and column holds, for whoever reads them with SQL. A column without a comment fails the build; one that
-- begins with 'Secret.' is not readable for read-only roles. Times are timestamps with time zone.

COMMENT ON TABLE budget_t IS
  'Use of budgets, a row for each host, project and person. Day and month name the period, in UTC, that the counters belong to.';
COMMENT ON COLUMN budget_t.host_id IS 'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN budget_t.scope IS 'Who the budget is of: host, project, user.';
COMMENT ON COLUMN budget_t.scope_id IS 'Id of the host, project or person.';
COMMENT ON COLUMN budget_t.day IS 'Day in UTC that the daily counters belong to; zero use on a later day.';
COMMENT ON COLUMN budget_t.day_nanos IS 'Cost of the day in billionths of a US dollar.';
COMMENT ON COLUMN budget_t.day_tokens IS 'Tokens of the day.';
COMMENT ON COLUMN budget_t.month IS 'Month in UTC that the monthly counters belong to.';
COMMENT ON COLUMN budget_t.month_nanos IS 'Cost of the month in billionths of a US dollar.';
COMMENT ON COLUMN budget_t.month_tokens IS 'Tokens of the month.';
COMMENT ON COLUMN budget_t.total_nanos IS 'Cost so far in billionths of a US dollar.';
COMMENT ON COLUMN budget_t.total_tokens IS 'Tokens so far.';
COMMENT ON COLUMN budget_t.unpriced IS 'Number of calls whose cost is unknown; the counters lack them.';
COMMENT ON COLUMN budget_t.reserved_nanos IS 'Cost that running calls may still use, in billionths of a US dollar.';
COMMENT ON COLUMN budget_t.reserved_tokens IS 'Tokens that running calls may still use.';
COMMENT ON COLUMN budget_t.aggregate_version IS 'Number of the event or change that last wrote the row; it only grows.';
COMMENT ON COLUMN budget_t.active IS
  'False once the row is deleted or superseded; such rows are kept for references and history.';
COMMENT ON COLUMN budget_t.update_ts IS 'Time of the last change; in views the time of the last event.';
COMMENT ON COLUMN budget_t.update_user IS 'Id of the person, or name of the service, that made the last change.';

COMMENT ON TABLE budget_reservation_t IS
  'What a running model call may still use, a row for each budget that it counts for; removed at its end.';
COMMENT ON COLUMN budget_reservation_t.host_id IS
  'Id of the tenant. Row-level security compares it with the setting app.host.';
COMMENT ON COLUMN budget_reservation_t.reservation_id IS 'Id of the reservation.';
COMMENT ON COLUMN budget_reservation_t.scope IS 'What the row is for.';
COMMENT ON COLUMN budget_reservation_t.scope_id IS 'Id of the host, project or person.';
COMMENT ON COLUMN budget_reservation_t.call_id IS 'Id of the call; the same in all attempts.';
COMMENT ON COLUMN budget_reservation_t.attempt IS 'Number of the attempt, from 1.';
COMMENT ON COLUMN budget_reservation_t.nanos IS 'Reserved cost in billionths of a US dollar.';
COMMENT ON COLUMN budget_reservation_t.tokens IS 'Reserved tokens.';
COMMENT ON COLUMN budget_reservation_t.expires_ts IS 'Time at which it ends by itself; null for never.';
COMMENT ON COLUMN budget_reservation_t.expired IS 'Whether the reservation has lapsed.';
