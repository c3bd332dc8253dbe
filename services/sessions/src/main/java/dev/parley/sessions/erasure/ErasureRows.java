package dev.parley.sessions.erasure;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.erasure_t}, with the files and services of erasures. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface ErasureRows extends GenericRepository<ErasureRequest, UUID> {
    String RECEIPT = """
            SELECT e.erasure_id, e.kind, e.subject, e.state, e.requested_by, e.requested_ts AS requested_at,
              e.done_ts AS done_at, e.log_clean_ts AS log_clean_by,
              CAST(e.sessions + coalesce(c.sessions, 0) AS bigint) AS sessions,
              CAST(e.messages + coalesce(c.messages, 0) AS bigint) AS messages,
              CAST(e.events + coalesce(c.events, 0) AS bigint) AS events,
              CAST(e.files + coalesce(c.files, 0) AS bigint) AS files, coalesce(c.open, 0) AS open_parts,
              coalesce((SELECT string_agg(v.service, ',') FROM sessions.erasure_service_t v
                        WHERE v.host_id = e.host_id AND v.erasure_id = e.erasure_id), '') AS services
            FROM sessions.erasure_t e
            LEFT JOIN LATERAL (
              SELECT sum(k.sessions) AS sessions, sum(k.messages) AS messages, sum(k.events) AS events, sum(k.files) AS files,
                     count(*) FILTER (WHERE k.state <> 'done') AS open
              FROM sessions.erasure_t k WHERE k.host_id = e.host_id AND k.parent_id = e.erasure_id) c ON true
            WHERE e.host_id = :host
            """;

    /**
     * The columns of a receipt; counts include the erasures that are part of it.
     *
     * @param openParts number of these that are not done
     * @param services those that confirmed it, separated by commas
     */
    @Introspected
    record ReceiptRow(
            UUID erasureId,
            String kind,
            String subject,
            String state,
            @Nullable String requestedBy,
            Instant requestedAt,
            @Nullable Instant doneAt,
            @Nullable Instant logCleanBy,
            long sessions,
            long messages,
            long events,
            long files,
            long openParts,
            String services) {}

    /** Claims erasures that are due; each is leased for at least 30 seconds. */
    @Query("""
            UPDATE sessions.erasure_t e SET attempts = e.attempts + 1,
              next_ts = now() + least(30 * (e.attempts + 1), 600) * interval '1 second'
            FROM (SELECT host_id, erasure_id FROM sessions.erasure_t
                  WHERE state <> 'done' AND next_ts <= now() ORDER BY next_ts LIMIT 50 FOR UPDATE SKIP LOCKED) AS due
            WHERE e.host_id = due.host_id AND e.erasure_id = due.erasure_id
            RETURNING e.host_id, e.erasure_id, upper(e.kind COLLATE "C") AS kind, e.subject,
              e.state = 'removed' AS is_removed, coalesce(e.seq, 0) AS seq, coalesce(e.epoch, 0) AS epoch, e.events, e.requested_by, e.attempts
            """)
    List<ErasureRequest> claim();

    /** A duplicate changes nothing. */
    @Query("""
            INSERT INTO sessions.erasure_t (host_id, erasure_id, parent_id, project_id, kind, subject, state, seq, requested_by,
              requested_ts)
            VALUES (:host, :id, CAST(:parent AS uuid), CAST(:project AS uuid), lower(CAST(:kind AS text) COLLATE "C"),
              :subject, 'asked', CAST(:seq AS bigint), CAST(:requestedBy AS text), :requestedAt) ON CONFLICT DO NOTHING
            """)
    void insert(
            UUID host,
            UUID id,
            @Nullable UUID parent,
            @Nullable UUID project,
            String kind,
            String subject,
            @Nullable Long seq,
            @Nullable String requestedBy,
            Instant requestedAt);

    @Query("DELETE FROM sessions.erasure_t WHERE host_id = :host AND erasure_id = :id AND state = 'asked'")
    void withdraw(UUID host, UUID id);

    @Query("UPDATE sessions.erasure_t SET events = :events WHERE host_id = :host AND erasure_id = :id")
    void setEvents(UUID host, UUID id, long events);

    @Query("UPDATE sessions.erasure_t SET next_ts = :next WHERE host_id = :host AND erasure_id = :id")
    void reschedule(UUID host, UUID id, Instant next);

    /** Makes it due, unless the views still contain the session. */
    @Query("""
            UPDATE sessions.erasure_t SET next_ts = now()
            WHERE host_id = :host AND erasure_id = :id AND state = 'removed'
            """)
    void resume(UUID host, UUID id);

    /** @return 1, or 0 where something is left, or where it is already done */
    @Query("""
            UPDATE sessions.erasure_t e SET state = 'done', done_ts = :now, log_clean_ts = :logCleanBy
            WHERE e.host_id = :host AND e.erasure_id = :id AND e.state <> 'done'
              AND NOT EXISTS (SELECT FROM sessions.erasure_t c
                              WHERE c.host_id = e.host_id AND c.parent_id = e.erasure_id AND c.state <> 'done')
              AND NOT EXISTS (SELECT FROM sessions.erasure_blob_t b
                              WHERE b.host_id = e.host_id AND b.erasure_id = e.erasure_id)
              AND (SELECT count(*) FROM sessions.erasure_service_t s WHERE s.host_id = e.host_id
                     AND s.erasure_id = e.erasure_id AND s.service IN (:services)) = :count
            """)
    int complete(UUID host, UUID id, Instant now, Instant logCleanBy, List<String> services, int count);

    @Query("""
            INSERT INTO sessions.erasure_service_t (host_id, erasure_id, service, removed, done_ts)
            VALUES (:host, :id, :service, :removed, :at) ON CONFLICT DO NOTHING
            """)
    void insertService(UUID host, UUID id, String service, long removed, Instant at);

    @Query("SELECT sha256 FROM sessions.erasure_blob_t WHERE host_id = :host AND erasure_id = :id")
    List<String> files(UUID host, UUID id);

    @Query("DELETE FROM sessions.erasure_blob_t WHERE host_id = :host AND erasure_id = :id AND sha256 = :sha256")
    void deleteFile(UUID host, UUID id, String sha256);

    @Query("UPDATE sessions.erasure_t SET files = files + :removed WHERE host_id = :host AND erasure_id = :id")
    void addFiles(UUID host, UUID id, int removed);

    /** @param files SHA-256 of each */
    @Query("SELECT DISTINCT sha256 FROM sessions.session_file_t WHERE sha256 = ANY (CAST(:files AS text[]))")
    List<String> named(@TypeDef(type = DataType.STRING_ARRAY) List<String> files);

    /** Whether no replay holds the lock; none begins before the transaction ends. */
    @Query("SELECT pg_try_advisory_xact_lock_shared(:lock)")
    boolean tryLock(long lock);

    @Query(RECEIPT + "AND e.erasure_id = :id")
    Optional<ReceiptRow> receipt(UUID host, UUID id);

    /** @param requestedBy null for all */
    @Query(RECEIPT + """
            AND e.parent_id IS NULL AND (CAST(:requestedBy AS text) IS NULL OR e.requested_by = :requestedBy)
              AND (CAST(:after AS uuid) IS NULL
                   OR (e.requested_ts, e.erasure_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY e.requested_ts DESC, e.erasure_id DESC LIMIT :limit
            """)
    List<ReceiptRow> receipts(
            UUID host, @Nullable String requestedBy, @Nullable Instant afterTime, @Nullable UUID after, int limit);
}
