package dev.parley.agents.budget;

/**
 * The statements of {@link BudgetLedger}. Each locks rows of budget_t in the order of their keys. Hand-written SQL: one
 * statement locks, checks and counts many rows, with one array per column.
 */
final class BudgetSql {
    /** Adds the amounts of the relation %1$s to the counters; those of a day or month restart in a later one. */
    private static final String COUNT = """
              day_nanos = CASE WHEN b.day >= %1$s.day THEN b.day_nanos ELSE 0 END + %1$s.total_nanos,
              day_tokens = CASE WHEN b.day >= %1$s.day THEN b.day_tokens ELSE 0 END + %1$s.total_tokens,
              day = greatest(b.day, %1$s.day),
              month_nanos = CASE WHEN b.month >= %1$s.month THEN b.month_nanos ELSE 0 END + %1$s.total_nanos,
              month_tokens = CASE WHEN b.month >= %1$s.month THEN b.month_tokens ELSE 0 END + %1$s.total_tokens,
              month = greatest(b.month, %1$s.month),
              total_nanos = b.total_nanos + %1$s.total_nanos,
              total_tokens = b.total_tokens + %1$s.total_tokens,
              unpriced = b.unpriced + %1$s.unpriced,
              aggregate_version = b.aggregate_version + 1, update_ts = now()
            """;

    /**
     * Locks the rows, checks that the call fits in all of them, and reserves only then. A row locked by another
     * transaction is read after that transaction has ended.
     */
    static final String RESERVE = """
            WITH ask AS (SELECT ?::date AS today, ?::bigint AS nanos, ?::bigint AS tokens),
            wanted AS (
              SELECT * FROM unnest(?::text[], ?::text[]::uuid[], ?::text[], ?::bigint[], ?::bigint[])
                AS w (scope, scope_id, period, most_nanos, most_tokens)),
            locked AS (
              SELECT b.scope, b.scope_id, w.most_nanos, w.most_tokens, b.reserved_nanos, b.reserved_tokens,
                CASE w.period
                  WHEN 'day' THEN CASE WHEN b.day >= a.today THEN b.day_nanos ELSE 0 END
                  WHEN 'month' THEN CASE WHEN b.month >= date_trunc('month', a.today)::date THEN b.month_nanos ELSE 0 END
                  ELSE b.total_nanos END AS nanos,
                CASE w.period
                  WHEN 'day' THEN CASE WHEN b.day >= a.today THEN b.day_tokens ELSE 0 END
                  WHEN 'month' THEN CASE WHEN b.month >= date_trunc('month', a.today)::date THEN b.month_tokens ELSE 0 END
                  ELSE b.total_tokens END AS tokens
              FROM agents.budget_t b JOIN wanted w ON b.scope = w.scope AND b.scope_id = w.scope_id CROSS JOIN ask a
              WHERE b.host_id = ? ORDER BY b.scope, b.scope_id FOR UPDATE OF b),
            room AS (
              SELECT l.scope, l.scope_id,
                (l.most_nanos IS NULL OR a.nanos = 0 OR l.nanos + l.reserved_nanos + a.nanos <= l.most_nanos
                   OR (l.reserved_nanos = 0 AND l.nanos < l.most_nanos))
                AND (l.most_tokens IS NULL OR l.tokens + l.reserved_tokens + a.tokens <= l.most_tokens
                   OR (l.reserved_tokens = 0 AND l.tokens < l.most_tokens)) AS fits,
                coalesce(a.nanos > 0 AND l.nanos >= l.most_nanos, false)
                OR coalesce(l.tokens >= l.most_tokens, false) AS used_up
              FROM locked l CROSS JOIN ask a),
            granted AS (SELECT FROM room HAVING count(*) = ? AND bool_and(fits)),
            taken AS (
              UPDATE agents.budget_t b
              SET reserved_nanos = b.reserved_nanos + a.nanos, reserved_tokens = b.reserved_tokens + a.tokens
              FROM room r CROSS JOIN granted CROSS JOIN ask a
              WHERE b.host_id = ? AND b.scope = r.scope AND b.scope_id = r.scope_id),
            kept AS (
              INSERT INTO agents.budget_reservation_t
                (host_id, reservation_id, scope, scope_id, call_id, attempt, nanos, tokens, expires_ts)
              SELECT ?, ?, r.scope, r.scope_id, ?, ?, a.nanos, a.tokens, now() + ? * interval '1 millisecond'
              FROM room r CROSS JOIN granted CROSS JOIN ask a)
            SELECT scope, fits, used_up FROM room
            """;

    static final String SETTLE = """
            WITH gone AS (
              DELETE FROM agents.budget_reservation_t WHERE host_id = ? AND reservation_id = ?
              RETURNING scope, scope_id, nanos, tokens, expired),
            used AS (
              SELECT b.scope, b.scope_id, CASE WHEN g.expired THEN 0 ELSE g.nanos END AS held_nanos,
                CASE WHEN g.expired THEN 0 ELSE g.tokens END AS held_tokens,
                ?::date AS day, ?::date AS month, ?::bigint AS total_nanos, ?::bigint AS total_tokens, ?::bigint AS unpriced
              FROM agents.budget_t b JOIN gone g ON b.scope = g.scope AND b.scope_id = g.scope_id
              WHERE b.host_id = ? ORDER BY b.scope, b.scope_id FOR UPDATE OF b)
            UPDATE agents.budget_t b SET
              reserved_nanos = b.reserved_nanos - used.held_nanos, reserved_tokens = b.reserved_tokens - used.held_tokens,
            """ + COUNT.formatted("used") + """
            FROM used WHERE b.host_id = ? AND b.scope = used.scope AND b.scope_id = used.scope_id
            """;

    static final String RENEW = """
            UPDATE agents.budget_reservation_t SET expires_ts = now() + ? * interval '1 millisecond'
            WHERE host_id = ? AND reservation_id = ? AND NOT expired
            """;

    static final String EXPIRE = """
            WITH late AS (
              SELECT host_id, reservation_id, scope FROM agents.budget_reservation_t
              WHERE expires_ts < now() AND NOT expired LIMIT 1000 FOR UPDATE SKIP LOCKED),
            gone AS (
              UPDATE agents.budget_reservation_t r SET expired = true FROM late
              WHERE r.host_id = late.host_id AND r.reservation_id = late.reservation_id AND r.scope = late.scope
              RETURNING r.host_id, r.scope, r.scope_id, r.nanos, r.tokens),
            sums AS (
              SELECT host_id, scope, scope_id, sum(nanos)::bigint AS nanos, sum(tokens)::bigint AS tokens
              FROM gone GROUP BY host_id, scope, scope_id),
            locked AS (
              SELECT b.host_id, b.scope, b.scope_id, s.nanos, s.tokens
              FROM agents.budget_t b JOIN sums s ON b.host_id = s.host_id AND b.scope = s.scope AND b.scope_id = s.scope_id
              ORDER BY b.host_id, b.scope, b.scope_id FOR UPDATE OF b)
            UPDATE agents.budget_t b
            SET reserved_nanos = b.reserved_nanos - l.nanos, reserved_tokens = b.reserved_tokens - l.tokens
            FROM locked l WHERE b.host_id = l.host_id AND b.scope = l.scope AND b.scope_id = l.scope_id
            """;

    static final String FORGET =
            "DELETE FROM agents.budget_reservation_t WHERE expired AND expires_ts < now() - interval '1 day'";

    static final String ADD = """
            INSERT INTO agents.budget_t AS b (host_id, scope, scope_id, day, month, day_nanos, day_tokens, month_nanos,
              month_tokens, total_nanos, total_tokens, unpriced)
            SELECT ?, w.scope, w.scope_id, ?, ?, w.nanos, w.tokens, w.nanos, w.tokens, w.nanos, w.tokens, w.unpriced
            FROM unnest(?::text[], ?::text[]::uuid[], ?::bigint[], ?::bigint[], ?::bigint[])
              AS w (scope, scope_id, nanos, tokens, unpriced)
            ORDER BY w.scope, w.scope_id
            ON CONFLICT (host_id, scope, scope_id) DO UPDATE SET
            """ + COUNT.formatted("excluded");

    static final String USED = """
            SELECT CASE WHEN b.day >= a.day THEN b.day_nanos ELSE 0 END, CASE WHEN b.day >= a.day THEN b.day_tokens ELSE 0 END,
              CASE WHEN b.month >= a.month THEN b.month_nanos ELSE 0 END,
              CASE WHEN b.month >= a.month THEN b.month_tokens ELSE 0 END,
              b.total_nanos, b.total_tokens, b.unpriced, b.reserved_nanos, b.reserved_tokens
            FROM agents.budget_t b CROSS JOIN (SELECT ?::date AS day, ?::date AS month) a
            WHERE b.host_id = ? AND b.scope = ? AND b.scope_id = ?
            """;

    private BudgetSql() {}
}
