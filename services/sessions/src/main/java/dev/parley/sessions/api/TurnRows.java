package dev.parley.sessions.api;

import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.agent_turn_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface TurnRows extends GenericRepository<TurnRow, UUID> {
    /** The usage of a turn, message or model call, as JSON of its columns. */
    String USAGE = """
            json_build_object('input', coalesce(tokens_input, 0), 'output', coalesce(tokens_output, 0),
              'reasoning', coalesce(tokens_reasoning, 0), 'cacheRead', coalesce(tokens_cache_read, 0),
              'cacheWrite', coalesce(tokens_cache_write, 0), 'cost', trim_scale(cost))
            """;

    String COLUMNS = """
            SELECT t.turn_id, s.session_key, t.turn_seq, t.state, t.error_type, t.error_message,
              t.provider_id || '/' || t.model_id AS model, t.created_ts, t.completed_ts, t.guardrails, t.agent, t.user_id,
              t.origin,
            """ + FeedbackRows.COUNTS + USAGE + "AS usage, ";

    String FROM = """
            FROM sessions.agent_turn_t t
            JOIN sessions.agent_session_t s ON s.host_id = t.host_id AND s.session_id = t.session_id
            """;

    String SELECT = COLUMNS + """
              t.user_message, CASE WHEN t.state = 'FAILED' THEN t.error_message ELSE t.reply END AS reply
            """ + FROM;

    String FILTER = """
            WHERE t.host_id = :host AND t.project_id = :project AND s.status <> 'deleted'
              AND CASE WHEN :open THEN t.completed_ts IS NULL ELSE t.state IN (:states) END
              AND (CAST(:agent AS text) IS NULL OR t.agent = :agent)
              AND (CAST(:session AS text) IS NULL OR s.session_key = :session)
              AND (CAST(:owner AS text) IS NULL OR s.user_id = :owner)
              AND (CAST(:since AS timestamptz) IS NULL
                   OR COALESCE(t.completed_ts, t.created_ts) >= CAST(:since AS timestamptz))
              AND (CAST(:feedback AS text) IS NULL OR EXISTS (SELECT FROM sessions.turn_feedback_t o
                WHERE o.host_id = :host AND o.project_id = :project AND o.turn_id = t.turn_id
                  AND o.active AND o.opinion = :feedback))
            """;

    /**
     * A page of turns, newest first.
     *
     * @param open whether all turns that have not ended match, instead of those in the states
     * @param session key of the session, in all epochs
     * @param owner user id of the session's owner
     * @param since earliest time of acceptance, or of the end for turns that have ended
     * @param feedback opinion of somebody about it; null for any and none
     * @param texts false for the first 200 characters of the messages, and no replies
     * @param after the last id of the previous page, or null
     */
    @Query(COLUMNS + """
              CASE WHEN :texts THEN t.user_message ELSE left(t.user_message, 200) END AS user_message,
              CASE WHEN t.state = 'FAILED' THEN t.error_message WHEN :texts THEN t.reply END AS reply
            """ + FROM + FILTER + """
              AND (CAST(:after AS uuid) IS NULL
                   OR (t.created_ts, t.turn_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY t.created_ts DESC, t.turn_id DESC LIMIT :limit
            """)
    List<TurnRow> page(
            UUID host,
            UUID project,
            boolean open,
            List<String> states,
            @Nullable String agent,
            @Nullable String session,
            @Nullable String owner,
            @Nullable Instant since,
            @Nullable String feedback,
            boolean texts,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);

    /** The number of turns on all pages. */
    @Query("SELECT count(*) " + FROM + FILTER)
    long count(
            UUID host,
            UUID project,
            boolean open,
            List<String> states,
            @Nullable String agent,
            @Nullable String session,
            @Nullable String owner,
            @Nullable Instant since,
            @Nullable String feedback);

    /** The turns of a session after one, in chronological order. */
    @Query(SELECT + """
            WHERE t.host_id = :host AND t.session_id = :session AND t.turn_seq > :seq ORDER BY t.turn_seq LIMIT :limit
            """)
    List<TurnRow> after(UUID host, UUID session, long seq, int limit);

    /** The turns of a session before one, newest first. */
    @Query(SELECT + """
            WHERE t.host_id = :host AND t.session_id = :session AND t.turn_seq < :seq
            ORDER BY t.turn_seq DESC LIMIT :limit
            """)
    List<TurnRow> before(UUID host, UUID session, long seq, int limit);

    /** The queued turns of a session, in order of execution. */
    @Query(SELECT + """
            WHERE t.host_id = :host AND t.session_id = :session AND t.state = 'QUEUED'
            ORDER BY (t.mode = 'interrupt') DESC, t.turn_seq LIMIT :limit
            """)
    List<TurnRow> queue(UUID host, UUID session, int limit);

    /**
     * A turn whose session is not deleted.
     *
     * @param project null for any
     * @param session key of the session; null for any
     * @param owner user id of the session's owner; null for any
     */
    @Query(SELECT + """
            WHERE t.host_id = :host AND t.turn_id = :id AND s.status <> 'deleted'
              AND (CAST(:project AS uuid) IS NULL OR t.project_id = CAST(:project AS uuid))
              AND (CAST(:session AS text) IS NULL OR s.session_key = :session)
              AND (CAST(:owner AS text) IS NULL OR s.user_id = :owner)
            """)
    Optional<TurnRow> find(
            UUID host, UUID id, @Nullable UUID project, @Nullable String session, @Nullable String owner);
}
