package dev.parley.channels.hooks;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code channels.event_hook_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface HookRows extends GenericRepository<EventHook, UUID> {
    String COLUMNS = """
            host_id, hook_id, project_id, url, description, events, sealed, master_key_id,
            CASE WHEN old_until_ts > now() THEN old_sealed ELSE '' END AS old_sealed,
            coalesce(old_master_key_id, 0) AS old_master_key_id, enabled, problem, failures, failing_ts, created_ts,
            aggregate_version, update_ts, update_user
            """;

    @Query("SELECT EXISTS (SELECT FROM channels.event_hook_t WHERE enabled)")
    boolean any();

    /** Creation of the first one that is enabled. */
    @Query("SELECT created_ts FROM channels.event_hook_t WHERE enabled ORDER BY created_ts LIMIT 1")
    Optional<Instant> first();

    @Query("SELECT " + COLUMNS
            + "FROM channels.event_hook_t WHERE host_id = :host AND project_id = :project ORDER BY created_ts, hook_id")
    List<EventHook> of(UUID host, UUID project);

    @Query("SELECT " + COLUMNS + "FROM channels.event_hook_t WHERE host_id = :host AND hook_id = :id")
    Optional<EventHook> find(UUID host, UUID id);

    @Query("SELECT " + COLUMNS
            + "FROM channels.event_hook_t WHERE host_id = :host AND project_id = :project AND hook_id = :id FOR UPDATE")
    Optional<EventHook> locked(UUID host, UUID project, UUID id);

    @Query("SELECT count(*) FROM channels.event_hook_t WHERE host_id = :host AND project_id = :project")
    int count(UUID host, UUID project);

    @Query(
            "INSERT INTO channels.event_hook_t (host_id, hook_id, project_id, url, description, events, sealed, master_key_id,"
                    + " enabled, update_user) VALUES (:host, :id, :project, :url, :description, :events, :sealed, :key, :enabled, :user)"
                    + " RETURNING " + COLUMNS)
    EventHook insert(
            UUID host,
            UUID id,
            UUID project,
            String url,
            String description,
            String events,
            byte[] sealed,
            long key,
            boolean enabled,
            String user);

    /** Enabling a webhook resets its failures. */
    @Query("""
            UPDATE channels.event_hook_t SET url = :url, description = :description, events = :events,
              problem = CASE WHEN :enabled THEN NULL ELSE problem END,
              failures = CASE WHEN :enabled AND NOT enabled THEN 0 ELSE failures END,
              failing_ts = CASE WHEN :enabled AND NOT enabled THEN NULL ELSE failing_ts END, enabled = :enabled,
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :user
            WHERE host_id = :host AND hook_id = :id RETURNING
            """ + COLUMNS)
    EventHook change(UUID host, UUID id, String url, String description, String events, boolean enabled, String user);

    /** The previous secret also signs for 24 hours. */
    @Query("""
            UPDATE channels.event_hook_t SET old_sealed = sealed, old_master_key_id = master_key_id,
              old_until_ts = now() + interval '24 hours', sealed = :sealed, master_key_id = :key,
              aggregate_version = aggregate_version + 1, update_ts = now(), update_user = :user
            WHERE host_id = :host AND hook_id = :id RETURNING
            """ + COLUMNS)
    EventHook rotate(UUID host, UUID id, byte[] sealed, long key, String user);

    @Query("DELETE FROM channels.event_hook_t WHERE host_id = :host AND hook_id = :id")
    void delete(UUID host, UUID id);

    @Query("DELETE FROM channels.event_hook_t WHERE host_id = :host AND project_id = :project")
    int deleteOfProject(UUID host, UUID project);

    @Query(
            "UPDATE channels.event_hook_t SET failures = 0, failing_ts = NULL WHERE host_id = :host AND hook_id = :id AND failures > 0")
    void succeeded(UUID host, UUID id);

    @Query("""
            UPDATE channels.event_hook_t SET failures = failures + 1, failing_ts = coalesce(failing_ts, now())
            WHERE host_id = :host AND hook_id = :id RETURNING
            """ + COLUMNS)
    EventHook failed(UUID host, UUID id);

    /** @return 0 where another instance disabled it */
    @Query("""
            UPDATE channels.event_hook_t SET enabled = false, problem = :problem, aggregate_version = aggregate_version + 1,
              update_ts = now(), update_user = 'parley'
            WHERE host_id = :host AND hook_id = :id AND enabled
            """)
    int disable(UUID host, UUID id, @Nullable String problem);

    /** Webhooks whose secrets were sealed by one of these master keys, by id, at most 50; locked rows are skipped. */
    @Query("SELECT " + COLUMNS + """
            FROM channels.event_hook_t WHERE master_key_id IN (:keys) AND hook_id > :after
            ORDER BY hook_id LIMIT 50 FOR UPDATE SKIP LOCKED
            """)
    List<EventHook> sealedBy(List<Long> keys, UUID after);

    @Query(
            "UPDATE channels.event_hook_t SET sealed = :sealed, master_key_id = :key WHERE host_id = :host AND hook_id = :id")
    void reseal(UUID host, UUID id, byte[] sealed, long key);
}
