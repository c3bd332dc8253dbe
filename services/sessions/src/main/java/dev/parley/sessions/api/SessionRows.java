package dev.parley.sessions.api;

import dev.parley.sessions.api.SessionRows.Shared;
import dev.parley.sessions.history.Reverted;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.agent_session_t}; pages of sessions are queried elsewhere. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface SessionRows extends GenericRepository<Shared, UUID> {
    /** The fields of a session that its share links show. */
    @MappedEntity(value = "agent_session_t", schema = "sessions")
    record Shared(@Id UUID sessionId, @Nullable String userId, String title, Instant createdTs, Instant updateTs) {}

    /** A project in which a user owns sessions, with counts. */
    @Introspected
    record OwnedSessions(UUID projectId, String projectKey, long shown, long deleted) {}

    /** The project and owner of a session that names a file. */
    @Introspected
    record Naming(String projectKey, @Nullable String userId) {}

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
            """ + Reverted.LEFT_OUT + """
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
