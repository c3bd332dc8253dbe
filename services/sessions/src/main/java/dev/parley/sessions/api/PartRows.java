package dev.parley.sessions.api;

import dev.parley.sessions.api.OpsController.ToolUse;
import dev.parley.sessions.history.RevertedMessages;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Repository of {@code sessions.agent_message_part_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface PartRows extends GenericRepository<PartJson, UUID> {
    /** A part that a search found, with its whole text. */
    @Introspected
    record Found(
            String sessionKey,
            String title,
            @Nullable UUID turnId,
            UUID messageId,
            UUID partId,
            String role,
            String kind,
            String said,
            double rank,
            Instant createdTs) {}

    /** All parts of some messages, in order. */
    @Query("""
            SELECT p.part_id AS id, p.message_id, p.kind, p.item_type, p.content->>'text' AS text,
              coalesce(p.content->>'name', p.tool_name) AS name, p.content->>'id' AS call_id,
              p.content->>'arguments' AS arguments, p.content->>'result' AS result,
              CASE WHEN p.content->>'result' IS NOT NULL
                THEN coalesce(CAST(p.content->>'isError' AS boolean), false) END AS is_error,
              p.tool_status AS status, p.executed_by, p.content->>'error' AS error, p.content->>'mimeType' AS mime_type,
              CAST(p.content->>'size' AS bigint) AS size, p.content->>'sha256' AS sha256, p.content->>'files' AS files,
              p.content->>'transcript' AS transcript, CAST(p.content->>'step' AS int) AS step, p.content->>'finish' AS finish,
              CASE WHEN p.content->>'input' IS NOT NULL THEN p.content END AS usage, p.content->>'patches' AS patches
            FROM sessions.agent_message_part_t p
            WHERE p.host_id = :host AND p.message_id = ANY (CAST(:messages AS uuid[])) ORDER BY p.message_id, p.idx
            """)
    List<PartJson> findOf(UUID host, @TypeDef(type = DataType.STRING_ARRAY) List<UUID> messages);

    /**
     * Parts that match, best first.
     *
     * @param query in the syntax of {@code to_tsquery}
     * @param tools whether tool calls are included
     * @param user owner of the sessions; null for all
     */
    @Query("""
            SELECT p.part_id, p.message_id, p.kind, p.created_ts, m.turn_id, m.role, s.session_key, s.title,
              concat_ws(chr(10), p.content->>'text', p.content->>'name', p.content->>'arguments', p.content->>'result') AS said,
              ts_rank(p.search, q) AS rank
            FROM to_tsquery('simple', :query) AS q
            JOIN sessions.agent_message_part_t p ON p.search @@ q
            JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
            JOIN sessions.agent_session_t s ON s.host_id = p.host_id AND s.session_id = p.session_id
            WHERE p.search_text IS NOT NULL AND p.host_id = :host AND p.project_id = :project AND s.status <> 'deleted'
              AND (:tools OR p.kind <> 'tool') AND m.role <> 'system'
              AND (CAST(:user AS text) IS NULL OR s.user_id = :user)
            """ + RevertedMessages.LEFT_OUT
            + "ORDER BY rank DESC, p.created_ts DESC, p.part_id LIMIT :limit OFFSET :offset")
    List<Found> search(
            UUID host, UUID project, String query, boolean tools, @Nullable String user, int limit, long offset);

    /**
     * A page of the calls of a tool, newest first.
     *
     * @param data whether arguments and results are included
     * @param after the last part of the previous page, or null
     */
    @Query("""
            SELECT s.session_key AS session, m.turn_id AS turn, p.message_id AS message, p.part_id AS part,
              p.tool_status AS status, CASE WHEN :data THEN p.content->>'arguments' END AS arguments,
              CASE WHEN :data THEN p.content->>'result' END AS result, c.attempt, p.created_ts AS created_at,
              p.update_ts AS updated_at
            FROM sessions.agent_message_part_t p
            JOIN sessions.agent_message_t m ON m.host_id = p.host_id AND m.message_id = p.message_id
            JOIN sessions.agent_session_t s ON s.host_id = p.host_id AND s.session_id = p.session_id
            LEFT JOIN sessions.tool_call_t c ON c.host_id = p.host_id AND c.project_id = p.project_id
              AND c.session_id = p.session_id AND c.part_id = p.part_id
            WHERE p.kind = 'tool' AND p.host_id = :host AND p.project_id = :project AND p.tool_name = :tool
              AND s.status <> 'deleted'
              AND (CAST(:after AS uuid) IS NULL
                   OR (p.created_ts, p.part_id) < (CAST(:afterTime AS timestamptz), CAST(:after AS uuid)))
            ORDER BY p.created_ts DESC, p.part_id DESC LIMIT :limit
            """)
    List<ToolUse> usesOfTool(
            UUID host,
            UUID project,
            String tool,
            boolean data,
            @Nullable Instant afterTime,
            @Nullable UUID after,
            int limit);
}
