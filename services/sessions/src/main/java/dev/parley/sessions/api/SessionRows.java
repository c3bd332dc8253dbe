package dev.parley.sessions.api;

import dev.parley.sessions.api.OpsController.TakenSession;
import dev.parley.sessions.history.RevertedMessages;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.agent_session_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public interface SessionRows extends GenericRepository<SessionJson, UUID> {
    String SELECT = """
        SELECT s.session_key, s.session_id, s.epoch, s.slug, s.title, s.status, s.agent, s.settings, s.channel, s.channel_id,
          s.user_id, s.parent_session_id, s.depth, s.provider_id, s.model_id, s.summary, s.summary_up_to,
          s.active_turn_id, s.message_count, s.unpriced_count, s.created_ts, s.update_ts, s.archived_ts,
          json_build_object('input', s.total_tokens_input, 'output', s.total_tokens_output,
          'reasoning', s.total_tokens_reasoning, 'cacheRead', s.total_tokens_cache_read,
          'cacheWrite', s.total_tokens_cache_write, 'cost', trim_scale(s.total_cost)) AS usage
        FROM sessions.agent_session_t s
        """;

    /** The fields of a session that its share links show. */
    @Introspected
    public record Shared(UUID sessionId, @Nullable String userId, String title, Instant createdTs, Instant updateTs) {}

    /** A permission rule of a session. */
    @Introspected
    record OwnRule(
            String id,
            String tool,
            String pattern,
            String action,
            @Nullable String createdBy) {}

    /** A project in which a user owns sessions, with counts. */
    @Introspected
    record OwnedSessions(UUID projectId, String projectKey, long shown, long deleted) {}

    /** The project and owner of a session that names a file. */
    @Introspected
    record Naming(String projectKey, @Nullable String userId) {}

    @Query(SELECT + """
        WHERE s.host_id = :host AND s.project_id = :project AND s.session_key = :key ORDER BY s.epoch DESC LIMIT 1
        """)
    Optional<SessionJson> newest(UUID host, UUID project, String key);

    /** The permission rules of a session, in the order in which they were made. */
    @Query("""
        SELECT r.value->>'id' AS id, r.value->>'tool' AS tool, r.value->>'pattern' AS pattern, r.value->>'action' AS action,
          r.value->>'by' AS created_by
        FROM sessions.agent_session_t s, jsonb_array_elements(s.permissions) WITH ORDINALITY r
        WHERE s.host_id = :host AND s.session_id = :session ORDER BY r.ordinality
        """)
    List<OwnRule> permissions(UUID host, UUID session);

    @Query(SELECT + "WHERE s.host_id = :host AND s.project_id = :project AND s.slug = :slug")
    Optional<SessionJson> withSlug(UUID host, UUID project, String slug);

    /**
     * A page of sessions, newest first.
     *
     * @param user null for all
     * @param parent the session that delegated to them; null for sessions without one
     * @param channel null for all
     * @param feedback opinion of somebody about a turn; null for any and none
     * @param after the last id of the previous page, or null
     */
    @Query(SELECT + """
        WHERE s.host_id = :host AND s.project_id = :project AND s.status IN (:statuses)
          AND (CAST(:user AS text) IS NULL OR s.user_id = :user)
          AND (s.parent_session_id = CAST(:parent AS uuid)
               OR (CAST(:parent AS uuid) IS NULL AND s.parent_session_id IS NULL))
          AND (CAST(:channel AS text) IS NULL OR s.channel = :channel)
          AND (CAST(:feedback AS text) IS NULL OR EXISTS (SELECT FROM sessions.turn_feedback_t f
            WHERE f.host_id = :host AND f.project_id = :project AND f.session_id = s.session_id
              AND f.active AND f.opinion = :feedback))
          AND (CAST(:after AS uuid) IS NULL
               OR (s.created_ts, s.session_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
        ORDER BY s.created_ts DESC, s.session_id DESC LIMIT :limit
        """)
    List<SessionJson> page(
            UUID host,
            UUID project,
            List<String> statuses,
            @Nullable String user,
            @Nullable UUID parent,
            @Nullable String channel,
            @Nullable String feedback,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);

    /**
     * Sessions of people in the space of keys of a bot, process, schedule or delegate, in all epochs, the newest first.
     *
     * @param bots names of the project's bots
     */
    @Query("""
        SELECT s.session_key, s.session_id, s.epoch, s.user_id, s.channel, s.status, s.created_ts
        FROM sessions.agent_session_t s
        WHERE s.host_id = :host AND s.project_id = :project AND s.status <> 'deleted'
          AND sessions.owner_of(s) LIKE 'person %'
          AND (strpos(s.session_key, chr(58) || 'delegate' || chr(58)) > 0 OR split_part(s.session_key, ':', 1) IN (:bots))
        ORDER BY s.created_ts DESC, s.session_id DESC LIMIT :limit
        """)
    List<TakenSession> taken(UUID host, UUID project, List<String> bots, int limit);

    /** The next sessions of a user that are not deleted, by key and epoch. */
    @Query(SELECT + """
        WHERE s.host_id = :host AND s.project_id = :project AND s.user_id = :user AND s.status <> 'deleted'
          AND (s.session_key, s.epoch) > (:afterKey, :afterEpoch)
        ORDER BY s.session_key, s.epoch LIMIT :limit
        """)
    List<SessionJson> owned(UUID host, UUID project, String user, String afterKey, long afterEpoch, int limit);

    /** The compact history of a session, as JSON. */
    @Query("""
        SELECT CAST(messages AS text) FROM sessions.agent_session_history_t
        WHERE host_id = :host AND session_id = :session
        """)
    Optional<String> history(UUID host, UUID session);

    @Query("""
        SELECT session_id, user_id, title, created_ts, update_ts FROM sessions.agent_session_t
        WHERE host_id = :host AND session_id = :session AND status <> 'deleted'
        """)
    Optional<Shared> findShared(UUID host, UUID session);

    /** Whether a message that the share link shows names the file. */
    @Query("""
        SELECT EXISTS (SELECT FROM sessions.agent_message_part_t p
          JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
          WHERE p.host_id = :host AND p.session_id = :session AND m.role <> 'system'
        """ + RevertedMessages.LEFT_OUT + """
          AND ((p.kind = 'file' AND p.content->>'sha256' = :sha256)
            OR (p.kind = 'tool'
              AND p.content->'files' @> jsonb_build_array(jsonb_build_object('sha256', CAST(:sha256 AS text))))))
        """)
    boolean isFileShared(UUID host, UUID session, String sha256);

    /** Sessions that name a file, at most 200, the user's own first. */
    @Query("""
        SELECT DISTINCT j.project_key, s.user_id, s.user_id = :user AS own
        FROM sessions.session_file_t f
        JOIN sessions.agent_session_t s ON s.host_id = f.host_id AND s.session_id = f.session_id AND s.status <> 'deleted'
        JOIN sessions.project_t j ON j.host_id = s.host_id AND j.project_id = s.project_id
        WHERE f.host_id = :host AND f.sha256 = :sha256
        ORDER BY own DESC NULLS LAST
        LIMIT 200
        """)
    List<Naming> findNaming(UUID host, String sha256, String user);

    @Query("""
        SELECT j.project_id, j.project_key, count(*) FILTER (WHERE s.status <> 'deleted') AS shown,
          count(*) FILTER (WHERE s.status = 'deleted') AS deleted
        FROM sessions.agent_session_t s JOIN sessions.project_t j USING (host_id, project_id)
        WHERE s.host_id = :host AND s.user_id = :user GROUP BY j.project_id, j.project_key ORDER BY j.project_key
        """)
    List<OwnedSessions> countOwned(UUID host, String user);
}
