package dev.parley.sessions.history;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Repository of the texts in {@code sessions.agent_message_part_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PastMessageRows extends GenericRepository<PastMessageRows.Text, UUID> {
    /** A text of a user or an agent. */
    @MappedEntity(value = "agent_message_part_t", schema = "sessions")
    record Text(@Id UUID partId, Instant createdTs, String role, String text) {}

    /**
     * Texts of ended turns under a session's key that match, best first; only of sessions with the owner of the newest.
     *
     * @param query in the syntax of {@code to_tsquery}
     */
    @Query("""
            SELECT p.part_id, p.created_ts, m.role, p.content->>'text' AS text
            FROM to_tsquery('simple', :query) AS q
            JOIN sessions.agent_session_t s ON s.host_id = :host AND s.project_id = :project AND s.session_key = :session
              AND s.status <> 'deleted' AND sessions.owner_of(s) = (SELECT sessions.owner_of(n)
                FROM sessions.agent_session_t n
                WHERE n.host_id = :host AND n.project_id = :project AND n.session_key = :session
                ORDER BY n.epoch DESC LIMIT 1)
            JOIN sessions.agent_message_part_t p ON p.host_id = s.host_id AND p.session_id = s.session_id AND p.search @@ q
            JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
            LEFT JOIN sessions.agent_turn_t t ON t.host_id = m.host_id AND t.turn_id = m.turn_id
            WHERE (m.turn_id IS NULL OR (t.start_position IS NOT NULL AND t.completed_ts IS NOT NULL))
              AND p.search_text IS NOT NULL AND p.kind = 'text' AND m.role IN ('user', 'assistant')
            """ + RevertedMessages.LEFT_OUT
            + "ORDER BY ts_rank(p.search, q) DESC, p.created_ts DESC, p.part_id LIMIT :limit")
    List<Text> search(UUID host, UUID project, String session, String query, int limit);
}
