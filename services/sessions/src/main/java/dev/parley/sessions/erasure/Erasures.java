package dev.parley.sessions.erasure;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.erasure.ErasureRecord.AgentGone;
import dev.parley.domain.erasure.ErasureRecord.Removed;
import dev.parley.platform.database.Columns;
import dev.parley.platform.database.Database;
import dev.parley.platform.database.Select;
import dev.parley.platform.database.Tenant;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.http.Cursor;
import dev.parley.sessions.erasure.Erasure.Kind;
import dev.parley.sessions.projection.Replay;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Database access for erasures: their state, and the remaining rows of the views. */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class Erasures {
    /** Services that must confirm the removal of their data, by kind of erasure. */
    static final Map<Kind, List<String>> SERVICES = Map.of(
            Kind.SESSION,
            List.of("tools", "memory"),
            Kind.USER,
            List.of("channels", "memory"),
            Kind.PROJECT,
            List.of("channels", "tools", "memory", "workflows"),
            Kind.AGENT,
            List.of("memory"));

    private static final int AT_ONCE = 50;

    private static final String COLUMNS =
            "e.host_id, e.erasure_id, e.kind, e.subject, e.state, e.seq, e.epoch, e.events, e.requested_by, e.attempts";

    private static final String CLAIM = """
            UPDATE sessions.erasure_t e SET attempts = e.attempts + 1,
              next_ts = now() + least(30 * (e.attempts + 1), 600) * interval '1 second'
            FROM (SELECT host_id, erasure_id FROM sessions.erasure_t
                  WHERE state <> 'done' AND next_ts <= now() ORDER BY next_ts LIMIT %d FOR UPDATE SKIP LOCKED) AS due
            WHERE e.host_id = due.host_id AND e.erasure_id = due.erasure_id
            RETURNING %s
            """.formatted(AT_ONCE, COLUMNS);

    private static final String ASK = """
            INSERT INTO sessions.erasure_t (host_id, erasure_id, parent_id, project_id, kind, subject, state, seq, requested_by,
              requested_ts)
            VALUES (?, ?, ?, ?, ?, ?, 'asked', ?, ?, ?) ON CONFLICT DO NOTHING
            """;

    private static final String DELEGATES = """
            SELECT DISTINCT p.project_key, s.session_key
            FROM sessions.agent_session_t s JOIN sessions.project_t p USING (host_id, project_id)
            WHERE s.host_id = ? AND s.project_id = ? AND s.parent_session_id = ANY (?::uuid[]) AND s.session_key <> ?
            """;

    /** Sessions of a user or project that were not requested yet. */
    private static final String SESSIONS = """
            SELECT DISTINCT p.project_key, s.session_key
            FROM sessions.agent_session_t s JOIN sessions.project_t p USING (host_id, project_id)
            WHERE s.host_id = ? AND s.%s = ? AND NOT EXISTS (
              SELECT FROM sessions.erasure_t e WHERE e.host_id = s.host_id AND e.parent_id = ?
                AND e.subject = p.project_key || '/' || s.session_key)
            LIMIT 1000
            """;

    private static final String IDLE = """
            SELECT p.project_key, s.session_key, max(s.aggregate_version) AS seq
            FROM sessions.agent_session_t s JOIN sessions.project_t p USING (host_id, project_id)
            WHERE s.host_id = ? AND s.project_id = ?
            GROUP BY p.project_key, s.session_key HAVING max(s.update_ts) < ? LIMIT 1000
            """;

    private static final String NAMED = "SELECT DISTINCT sha256 FROM sessions.session_file_t WHERE sha256 = ANY (?)";

    private static final String DONE = """
            UPDATE sessions.erasure_t e SET state = 'done', done_ts = ?, log_clean_ts = ?
            WHERE e.host_id = ? AND e.erasure_id = ? AND e.state <> 'done'
              AND NOT EXISTS (SELECT FROM sessions.erasure_t c
                              WHERE c.host_id = e.host_id AND c.parent_id = e.erasure_id AND c.state <> 'done')
              AND NOT EXISTS (SELECT FROM sessions.erasure_blob_t b
                              WHERE b.host_id = e.host_id AND b.erasure_id = e.erasure_id)
              AND (SELECT count(*) FROM sessions.erasure_service_t s WHERE s.host_id = e.host_id
                     AND s.erasure_id = e.erasure_id AND s.service = ANY (?)) = ?
            """;

    private static final String RECEIPT = """
            SELECT e.erasure_id, e.kind, e.subject, e.state, e.sessions, e.messages, e.events, e.files, e.requested_by,
                   e.requested_ts, e.done_ts, e.log_clean_ts,
                   coalesce(c.sessions, 0) AS child_sessions, coalesce(c.messages, 0) AS child_messages,
                   coalesce(c.events, 0) AS child_events, coalesce(c.files, 0) AS child_files,
                   coalesce(c.open, 0) AS child_open,
                   ARRAY(SELECT v.service FROM sessions.erasure_service_t v
                         WHERE v.host_id = e.host_id AND v.erasure_id = e.erasure_id ORDER BY v.service) AS services
            FROM sessions.erasure_t e
            LEFT JOIN LATERAL (
              SELECT sum(k.sessions) AS sessions, sum(k.messages) AS messages, sum(k.events) AS events, sum(k.files) AS files,
                     count(*) FILTER (WHERE k.state <> 'done') AS open
              FROM sessions.erasure_t k WHERE k.host_id = e.host_id AND k.parent_id = e.erasure_id) c ON true
            WHERE e.host_id = ?
            """;

    private final Database database;

    Erasures(Database database) {
        this.database = database;
    }

    /** Claims erasures that are due; each is leased for at least 30 seconds. */
    List<Erasure> claim() {
        return database.in(Tenant.ALL, transaction -> transaction.query(CLAIM, Columns.list(Erasures::read)));
    }

    private static Erasure read(ResultSet row) throws SQLException {
        return new Erasure(
                Columns.uuid(row, "host_id"),
                Columns.uuid(row, "erasure_id"),
                Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                row.getString("subject"),
                row.getString("state").equals("removed"),
                row.getLong("seq"),
                row.getLong("epoch"),
                row.getLong("events"),
                row.getString("requested_by"),
                row.getInt("attempts"));
    }

    private static RecordKey key(ResultSet row) throws SQLException {
        return new RecordKey(row.getString("project_key"), row.getString("session_key"));
    }

    /** Requests the erasure of a user or project; idempotent. */
    void ask(UUID host, UUID erasure, Kind kind, String subject) {
        database.in(Tenant.of(host), transaction -> {
            ask(transaction, host, erasure, null, null, kind, subject, null, null);
            return null;
        });
    }

    /** Requests the erasure of the memories of a deleted agent; idempotent. */
    void ask(AgentGone agentGone) {
        database.in(Tenant.of(agentGone.host()), transaction -> {
            ask(
                    transaction,
                    agentGone.host(),
                    agentGone.erasure(),
                    null,
                    null,
                    Kind.AGENT,
                    agentGone.name(),
                    null,
                    agentGone.by());
            return null;
        });
    }

    private static void ask(
            Transaction transaction,
            UUID host,
            UUID erasure,
            @Nullable UUID parent,
            @Nullable UUID project,
            Kind kind,
            String subject,
            @Nullable Long seq,
            @Nullable String requestedBy) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        transaction.update(ASK, host, erasure, parent, project, name, subject, seq, requestedBy, Instant.now());
    }

    /**
     * Requests the erasure of delegate sessions.
     *
     * @return number of sessions
     */
    int askForDelegates(Erasure parent) {
        RecordKey key = parent.session();
        Object ids = parent.sessionIds().stream().map(UUID::toString).toArray(String[]::new);
        return askFor(parent, DELEGATES, parent.host(), key.projectId(), ids, key.session());
    }

    /**
     * Requests the erasure of the remaining sessions of a user or project.
     *
     * @return number of sessions
     */
    int askForSessions(Erasure parent) {
        boolean ofUser = parent.kind() == Kind.USER;
        Object subject = ofUser ? parent.subject() : RecordKey.projectId(parent.subject());
        return askFor(
                parent, SESSIONS.formatted(ofUser ? "user_id" : "project_id"), parent.host(), subject, parent.id());
    }

    private int askFor(Erasure parent, String sql, Object... values) {
        return database.in(Tenant.of(parent.host()), transaction -> {
            List<RecordKey> keys = transaction.query(sql, Columns.list(Erasures::key), values);
            keys.forEach(key -> ask(
                    transaction,
                    parent.host(),
                    Ids.of("erasure", parent.id(), key),
                    parent.id(),
                    key.projectId(),
                    Kind.SESSION,
                    key.toString(),
                    null,
                    parent.requestedBy()));
            return keys.size();
        });
    }

    /** Requests the erasure of sessions of a project without activity since a time. */
    void askForIdle(UUID host, UUID project, Instant since) {
        record Idle(RecordKey key, long seq) {}
        database.in(Tenant.of(host), transaction -> {
            List<Idle> found = transaction.query(
                    IDLE, Columns.list(row -> new Idle(key(row), row.getLong("seq"))), host, project, since);
            found.forEach(idle -> ask(
                    transaction,
                    host,
                    Ids.of("retention", idle.key(), idle.seq()),
                    null,
                    project,
                    Kind.SESSION,
                    idle.key().toString(),
                    idle.seq(),
                    "retention"));
            return null;
        });
    }

    /** Withdraws a request. */
    void drop(Erasure erasure) {
        database.in(
                Tenant.of(erasure.host()),
                transaction -> transaction.update(
                        "DELETE FROM sessions.erasure_t WHERE host_id = ? AND erasure_id = ? AND state = 'asked'",
                        erasure.host(),
                        erasure.id()));
    }

    /** Records the number of tombstoned events. */
    void removedFromLog(Erasure erasure, long events) {
        update(erasure, "UPDATE sessions.erasure_t SET events = ? WHERE host_id = ? AND erasure_id = ?", events);
    }

    /** Reschedules it; a confirmation of a service makes it due at once. */
    void reschedule(Erasure erasure, Duration after) {
        String sql = "UPDATE sessions.erasure_t SET next_ts = ? WHERE host_id = ? AND erasure_id = ?";
        update(erasure, sql, Instant.now().plus(after));
    }

    private void update(Erasure erasure, String sql, Object value) {
        database.in(
                Tenant.of(erasure.host()), transaction -> transaction.update(sql, value, erasure.host(), erasure.id()));
    }

    /** SHA-256 of the files that it has not handled yet. */
    List<String> files(Erasure erasure) {
        String sql = "SELECT sha256 FROM sessions.erasure_blob_t WHERE host_id = ? AND erasure_id = ?";
        return database.in(
                Tenant.of(erasure.host()),
                transaction -> transaction.query(
                        sql, Columns.list(row -> row.getString("sha256")), erasure.host(), erasure.id()));
    }

    /**
     * The files that any remaining session of any host names; equal files are stored once. Empty during a replay,
     * when the views are incomplete.
     */
    Optional<Set<String>> named(List<String> files) {
        return database.in(Tenant.ALL, transaction -> {
            boolean isComplete = transaction.query(
                    "SELECT pg_try_advisory_xact_lock_shared(?)",
                    row -> row.next() && row.getBoolean(1),
                    Replay.LOCK.number());
            return isComplete
                    ? Optional.of(
                            Set.copyOf(transaction.query(NAMED, Columns.list(row -> row.getString("sha256")), (Object)
                                    files.toArray(String[]::new))))
                    : Optional.empty();
        });
    }

    /** Records that a file was handled. */
    void fileHandled(Erasure erasure, String sha256, boolean removed) {
        database.in(Tenant.of(erasure.host()), transaction -> {
            transaction.update(
                    "DELETE FROM sessions.erasure_blob_t WHERE host_id = ? AND erasure_id = ? AND sha256 = ?",
                    erasure.host(),
                    erasure.id(),
                    sha256);
            return transaction.update(
                    "UPDATE sessions.erasure_t SET files = files + ? WHERE host_id = ? AND erasure_id = ?",
                    removed ? 1 : 0,
                    erasure.host(),
                    erasure.id());
        });
    }

    /** Records that a service has removed its data. */
    void removed(Removed record) {
        database.in(Tenant.of(record.host()), transaction -> {
            transaction.update("""
                    INSERT INTO sessions.erasure_service_t (host_id, erasure_id, service, removed, done_ts)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """, record.host(), record.erasure(), record.service(), record.removed(), record.at());
            return transaction.update(
                    "UPDATE sessions.erasure_t SET next_ts = now() WHERE host_id = ? AND erasure_id = ? AND state = 'removed'",
                    record.host(),
                    record.erasure());
        });
    }

    /**
     * Completes it, unless something is left.
     *
     * @param logKept longest retention of topics that are not compacted
     */
    boolean end(Erasure erasure, Duration logKept) {
        List<String> services = SERVICES.getOrDefault(erasure.kind(), List.of());
        Instant now = Instant.now();
        return database.in(
                        Tenant.of(erasure.host()),
                        transaction -> transaction.update(
                                DONE,
                                now,
                                now.plus(logKept),
                                erasure.host(),
                                erasure.id(),
                                services.toArray(String[]::new),
                                services.size()))
                == 1;
    }

    /** The receipt of an erasure. */
    Optional<Receipt> receipt(UUID host, UUID erasure) {
        return database
                .in(
                        Tenant.of(host),
                        transaction -> transaction.query(
                                RECEIPT + " AND e.erasure_id = ?", Columns.list(Receipt::of), host, erasure))
                .stream()
                .findFirst();
    }

    /** A page of receipts, the newest first; only those requested by {@code requestedBy}, if given. */
    List<Receipt> receipts(UUID host, @Nullable String requestedBy, int max, @Nullable Cursor after) {
        var select =
                new Select(RECEIPT, host).with("AND e.parent_id IS NULL").withIf(requestedBy, "AND e.requested_by = ?");
        if (after != null) {
            select.with("AND (e.requested_ts, e.erasure_id) < (?, ?)", after.time(), after.id());
        }
        select.with("ORDER BY e.requested_ts DESC, e.erasure_id DESC LIMIT ?", max + 1);
        return database.in(
                Tenant.of(host),
                transaction -> transaction.query(
                        select.sql(), Columns.list(Receipt::of), select.values().toArray()));
    }
}
