package dev.parley.sessions.api;

import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.turn_feedback_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface FeedbackRows extends GenericRepository<FeedbackJson, String> {
    /** The number of opinions about turn {@code t}, as JSON. */
    String COUNTS = """
            (SELECT json_build_object('good', count(*) FILTER (WHERE f.opinion = 'good'),
               'bad', count(*) FILTER (WHERE f.opinion = 'bad'), 'other', count(*) FILTER (WHERE f.opinion = 'other'))
             FROM sessions.turn_feedback_t f
             WHERE f.host_id = t.host_id AND f.project_id = t.project_id AND f.turn_id = t.turn_id) AS feedback,
            """;

    /** The opinions about a turn that nobody took back, newest first. */
    @Query("""
            SELECT user_id, opinion, nullif(emoji, '') AS emoji, reason, given_ts FROM sessions.turn_feedback_t
            WHERE host_id = :host AND turn_id = :turn AND active
            ORDER BY given_ts DESC, user_id, emoji LIMIT :limit
            """)
    List<FeedbackJson> ofTurn(UUID host, UUID turn, int limit);

    /** An opinion that a person has given or taken back, with the session of its turn. */
    @Introspected
    record Given(
            String projectKey,
            String sessionKey,
            UUID turnId,
            String opinion,
            @Nullable String emoji,
            @Nullable String reason,
            Instant givenTs) {}

    /**
     * The next opinions of a person about turns of sessions that are not deleted, oldest first.
     *
     * @param afterTurn turn of the last one before, or null for the first page
     * @param afterEmoji its reaction, empty for none
     */
    @Query("""
            SELECT j.project_key, s.session_key, f.turn_id, f.opinion, nullif(f.emoji, '') AS emoji, f.reason, f.given_ts
            FROM sessions.turn_feedback_t f
            JOIN sessions.agent_session_t s USING (host_id, project_id, session_id)
            JOIN sessions.project_t j USING (host_id, project_id)
            WHERE f.host_id = :host AND f.user_id = :user AND s.status <> 'deleted'
              AND (CAST(:afterTurn AS uuid) IS NULL
                   OR (f.given_ts, f.turn_id, f.emoji) > (CAST(:afterTime AS timestamptz), CAST(:afterTurn AS uuid), :afterEmoji))
            ORDER BY f.given_ts, f.turn_id, f.emoji LIMIT :limit
            """)
    List<Given> ofPerson(
            UUID host,
            String user,
            @Nullable Instant afterTime,
            @Nullable UUID afterTurn,
            String afterEmoji,
            int limit);
}
