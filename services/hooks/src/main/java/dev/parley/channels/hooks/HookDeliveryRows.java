package dev.parley.channels.hooks;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.hook_delivery_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface HookDeliveryRows extends GenericRepository<HookDelivery, UUID> {
    String COLUMNS =
            "host_id, delivery_id, hook_id, project_id, event, body, state, attempts, due_ts, status, detail, created_ts ";

    /**
     * Inserts a delivery for each enabled webhook that subscribes to the event and existed when it happened; a
     * duplicate event adds none.
     */
    @Query("""
            INSERT INTO channels.hook_delivery_t (host_id, delivery_id, hook_id, project_id, event, session, body)
            SELECT h.host_id, CAST(md5(CAST(h.hook_id AS text) || ' ' || :source) AS uuid), h.hook_id, h.project_id, :type,
              CAST(:session AS text), :body
            FROM channels.event_hook_t h
            WHERE h.host_id = :host AND h.project_id = :project AND h.enabled AND h.created_ts <= :at
              AND (h.events = '*' OR :type = ANY (string_to_array(h.events, ',')))
            ON CONFLICT DO NOTHING
            """)
    int add(UUID host, UUID project, String type, String source, @Nullable String session, Instant at, String body);

    @Query("""
            INSERT INTO channels.hook_delivery_t (host_id, delivery_id, hook_id, project_id, event, body)
            VALUES (:host, :id, :hook, :project, :type, :body)
            """)
    void insert(UUID host, UUID id, UUID hook, UUID project, String type, String body);

    /** Due deliveries, at most five per webhook, locked for this transaction. */
    @Query("SELECT " + COLUMNS + """
            FROM channels.hook_delivery_t
            WHERE state = 'waiting' AND due_ts <= now() AND delivery_id IN (
              SELECT delivery_id FROM (
                SELECT delivery_id, row_number() OVER (PARTITION BY hook_id ORDER BY due_ts) AS nth
                FROM (SELECT delivery_id, hook_id, due_ts FROM channels.hook_delivery_t
                  WHERE state = 'waiting' AND due_ts <= now() ORDER BY due_ts LIMIT 1000) AS due) AS numbered
              WHERE nth <= 5)
            LIMIT 50 FOR UPDATE SKIP LOCKED
            """)
    List<HookDelivery> due();

    /** Counts an attempt and leases the delivery for one minute. */
    @Query("""
            UPDATE channels.hook_delivery_t SET attempts = attempts + 1, due_ts = now() + interval '1 minute', update_ts = now()
            WHERE host_id = :host AND delivery_id = :id
            """)
    void lease(UUID host, UUID id);

    @Query("""
            UPDATE channels.hook_delivery_t SET state = :state, status = CAST(:status AS int), detail = CAST(:detail AS text),
              due_ts = now() + make_interval(secs => :seconds), update_ts = now(), aggregate_version = aggregate_version + 1
            WHERE host_id = :host AND delivery_id = :id
            """)
    void complete(UUID host, UUID id, String state, @Nullable Integer status, @Nullable String detail, double seconds);

    @Query("""
            UPDATE channels.hook_delivery_t SET state = 'failed', detail = :detail, update_ts = now()
            WHERE host_id = :host AND hook_id = :hook AND state = 'waiting'
            """)
    void failPending(UUID host, UUID hook, String detail);

    @Query("SELECT " + COLUMNS + """
            FROM channels.hook_delivery_t WHERE host_id = :host AND hook_id = :hook
              AND (CAST(:state AS text) IS NULL OR state = :state)
            ORDER BY created_ts DESC, delivery_id LIMIT :limit
            """)
    List<HookDelivery> newest(UUID host, UUID hook, @Nullable String state, int limit);

    /** @return 0 where there is no such failed delivery */
    @Query("""
            UPDATE channels.hook_delivery_t SET state = 'waiting', attempts = 0, due_ts = now(), update_ts = now()
            WHERE host_id = :host AND hook_id = :hook AND delivery_id = :id AND state = 'failed'
            """)
    int requeue(UUID host, UUID hook, UUID id);

    @Query(
            "DELETE FROM channels.hook_delivery_t WHERE host_id = :host AND project_id = :project AND session = :session")
    void deleteOfSession(UUID host, UUID project, String session);

    /** @return the number of removed rows */
    @Query("""
            DELETE FROM channels.hook_delivery_t WHERE ctid IN (
              SELECT ctid FROM channels.hook_delivery_t WHERE state <> 'waiting' AND update_ts < now() - interval '7 days' LIMIT 1000)
            """)
    int purge();
}
