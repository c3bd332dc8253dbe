package dev.parley.tools;

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

/** Repository of {@code tools.tool_execution_t} and {@code tools.erased_session_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface LedgerRows extends GenericRepository<UnknownCall, UUID> {
    String SELECT = """
            SELECT call_id AS id, session_id, session_key AS session, turn_id, agent, tool, effect, started_ts AS started_at,
              finished_ts AS finished_at, left(result, 4000) AS result, decided_outcome AS outcome, decided_user AS decided_by,
              decided_ts AS decided_at, decided_note AS note
            FROM tools.tool_execution_t WHERE host_id = :host AND project_id = :project
            """;

    /**
     * The state of a call.
     *
     * @param heldMillis remaining lease of the worker
     */
    @Introspected
    record State(
            String state,
            @Nullable String status,
            @Nullable String result,
            @Nullable String files,
            long heldMillis) {}

    /** @return 0 where the call has a row already */
    @Query("""
            INSERT INTO tools.tool_execution_t
              (host_id, project_id, call_id, session_id, session_key, turn_id, agent, tool, effect, attempt, state, worker)
            VALUES (:host, :project, :call, :sessionId, :session, :turnId, :agent, :tool, :effect, :attempt, 'started', :worker)
            ON CONFLICT (host_id, call_id) DO NOTHING
            """)
    int insert(
            UUID host,
            UUID project,
            UUID call,
            UUID sessionId,
            String session,
            UUID turnId,
            String agent,
            String tool,
            String effect,
            int attempt,
            String worker);

    /** The state of a call, locked until the transaction ends. */
    @Query("""
            SELECT state, status, result, CAST(files AS text) AS files,
              greatest(0, :leaseMillis - CAST(extract(epoch FROM clock_timestamp() - heartbeat_ts) * 1000 AS bigint)) AS held_millis
            FROM tools.tool_execution_t WHERE host_id = :host AND call_id = :call FOR UPDATE
            """)
    Optional<State> locked(UUID host, UUID call, long leaseMillis);

    @Query("""
            UPDATE tools.tool_execution_t SET state = 'started', worker = :worker, attempt = :attempt,
              heartbeat_ts = clock_timestamp(), aggregate_version = aggregate_version + 1, update_ts = clock_timestamp()
            WHERE host_id = :host AND call_id = :call
            """)
    void takeOver(UUID host, UUID call, int attempt, String worker);

    /** @return 0 where another worker has taken over the call */
    @Query("""
            UPDATE tools.tool_execution_t SET state = :state, status = :status, result = :result,
              files = CAST(:files AS jsonb), finished_ts = clock_timestamp(), aggregate_version = aggregate_version + 1,
              update_ts = clock_timestamp()
            WHERE host_id = :host AND call_id = :call AND worker = :worker AND state IN ('started', 'unknown')
            """)
    int end(UUID host, UUID call, String worker, String state, String status, String result, @Nullable String files);

    @Query("""
            UPDATE tools.tool_execution_t SET heartbeat_ts = clock_timestamp()
            WHERE host_id = :host AND call_id = :call AND worker = :worker AND state = 'started'
            """)
    void renewLease(UUID host, UUID call, String worker);

    /** @return the number of removed rows */
    @Query("""
            DELETE FROM tools.tool_execution_t WHERE (host_id, call_id) IN (
              SELECT host_id, call_id FROM tools.tool_execution_t
              WHERE state = 'done' AND coalesce(decided_ts, finished_ts) < clock_timestamp() - :seconds * interval '1 second'
              LIMIT :limit)
            """)
    int purge(long seconds, int limit);

    /** Empties the calls of erased sessions; they stay for a time, so that a redelivered call does not run again. */
    @Query("""
            UPDATE tools.tool_execution_t SET result = left(result, 0), files = NULL, session_key = '', decided_note = NULL
            WHERE host_id = :host AND session_id = ANY (CAST(:sessions AS uuid[]))
            """)
    int clear(UUID host, @TypeDef(type = DataType.STRING_ARRAY) List<UUID> sessions);

    /** Empties calls that were running when their session was erased. */
    @Query("""
            UPDATE tools.tool_execution_t t SET result = left(result, 0), files = NULL, session_key = '', decided_note = NULL
            FROM tools.erased_session_t e
            WHERE e.host_id = t.host_id AND e.session_id = t.session_id
              AND (t.result <> '' OR t.files IS NOT NULL OR t.session_key <> '' OR t.decided_note IS NOT NULL)
            """)
    void clearLate();

    /** @return the number of removed rows */
    @Query("""
            DELETE FROM tools.tool_execution_t t USING tools.erased_session_t e
            WHERE e.host_id = t.host_id AND e.session_id = t.session_id
              AND e.erased_ts < clock_timestamp() - :seconds * interval '1 second'
            """)
    int purgeErased(long seconds);

    @Query("""
            INSERT INTO tools.erased_session_t (host_id, session_id)
            SELECT :host, unnest(CAST(:sessions AS uuid[])) ON CONFLICT DO NOTHING
            """)
    void markErased(UUID host, @TypeDef(type = DataType.STRING_ARRAY) List<UUID> sessions);

    @Query("DELETE FROM tools.erased_session_t WHERE erased_ts < clock_timestamp() - :seconds * interval '1 second'")
    void deleteMarks(long seconds);

    /**
     * A page of undecided calls, newest first.
     *
     * @param after the last id of the previous page, or null
     */
    @Query(SELECT + """
              AND state = 'unknown'
              AND (CAST(:after AS uuid) IS NULL
                   OR (finished_ts, call_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY finished_ts DESC, call_id DESC LIMIT :limit
            """)
    List<UnknownCall> page(UUID host, UUID project, @Nullable Instant afterTime, @Nullable UUID after, int limit);

    @Query(SELECT + "AND call_id = :call AND status = 'UNKNOWN'")
    Optional<UnknownCall> find(UUID host, UUID project, UUID call);

    /** @return 0 where there is no such undecided call */
    @Query("""
            UPDATE tools.tool_execution_t SET state = 'done', decided_outcome = :outcome, decided_user = :user,
              decided_ts = clock_timestamp(), decided_note = CAST(:note AS text), aggregate_version = aggregate_version + 1,
              update_ts = clock_timestamp(), update_user = :user
            WHERE host_id = :host AND project_id = :project AND call_id = :call AND state = 'unknown'
            """)
    int decide(UUID host, UUID project, UUID call, String outcome, String user, @Nullable String note);

    @Query("SELECT count(*) FROM tools.tool_execution_t WHERE state = 'unknown'")
    long countUnknown();
}
