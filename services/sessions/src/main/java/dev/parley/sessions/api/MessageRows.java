package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.ErrorJson;
import dev.parley.platform.http.TurnJson.UsageJson;
import dev.parley.sessions.history.RevertedMessages;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
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

/** Repository of {@code sessions.agent_message_t}. */
@JdbcRepository(dialect = Dialect.POSTGRES)
interface MessageRows extends GenericRepository<MessageRows.Row, UUID> {
    String COLUMNS = """
            SELECT m.message_id, m.turn_id, m.role, m.parent_id, m.provider_id, m.model_id, m.agent, m.finish_reason,
              m.error_type, m.error_message, m.interrupted, m.created_ts, m.completed_ts, m.position, m.seq,
              CASE WHEN m.role = 'assistant' THEN
            """ + TurnRows.USAGE + """
              END AS usage,
            """;
    String OF_SESSION = """
            FROM sessions.agent_message_t m
            WHERE m.host_id = :host AND m.session_id = :session AND (:system OR m.role <> 'system')
            """;
    String FILTERED = COLUMNS + """
              (SELECT coalesce(sum(octet_length(CAST(p.content AS text))), 0) FROM sessions.agent_message_part_t p
                WHERE p.host_id = m.host_id AND p.message_id = m.message_id) AS bytes
            """ + OF_SESSION + """
              AND (CAST(:role AS text) IS NULL OR m.role = :role)
              AND (CAST(:turn AS uuid) IS NULL OR m.turn_id = CAST(:turn AS uuid))
            """ + RevertedMessages.LEFT_OUT_UNLESS_REQUESTED;

    /**
     * A message without its parts.
     *
     * @param bytes size of its parts; 0 for a single message
     */
    @MappedEntity(value = "agent_message_t", schema = "sessions")
    record Row(
            @Id UUID messageId,
            @Nullable UUID turnId,
            String role,
            @Nullable UUID parentId,
            @Nullable String providerId,
            @Nullable String modelId,
            @Nullable String agent,
            @Nullable String finishReason,
            @Nullable String errorType,
            @Nullable String errorMessage,
            boolean interrupted,
            @Nullable @TypeDef(type = DataType.JSON) UsageJson usage,
            Instant createdTs,
            @Nullable Instant completedTs,
            long position,
            int seq,
            long bytes) {
        MessageJson json(List<PartJson> parts) {
            return new MessageJson(
                    messageId,
                    turnId,
                    role,
                    parts,
                    parentId,
                    providerId,
                    modelId,
                    agent,
                    finishReason,
                    ErrorJson.ofNullable(errorType, errorMessage),
                    usage,
                    interrupted,
                    createdTs,
                    completedTs);
        }
    }

    @Query(COLUMNS + "0 AS bytes " + OF_SESSION + "AND m.message_id = :id")
    Optional<Row> find(UUID host, UUID session, boolean system, UUID id);

    /**
     * A page in chronological order; null filters match all.
     *
     * @param system whether instructions of agents are included
     * @param reverted whether reverted messages are included
     * @param position of the last message of the previous page, or null, with its {@code seq}
     */
    @Query(FILTERED + """
              AND (CAST(:position AS bigint) IS NULL
                   OR (m.position, m.seq) > (CAST(:position AS bigint), CAST(:seq AS int)))
            ORDER BY m.position, m.seq LIMIT :limit
            """)
    List<Row> page(
            UUID host,
            UUID session,
            boolean system,
            @Nullable String role,
            @Nullable UUID turn,
            boolean reverted,
            @Nullable Long position,
            @Nullable Integer seq,
            int limit);

    /** Like {@link #page}, in reverse order. */
    @Query(FILTERED + """
              AND (CAST(:position AS bigint) IS NULL
                   OR (m.position, m.seq) < (CAST(:position AS bigint), CAST(:seq AS int)))
            ORDER BY m.position DESC, m.seq DESC LIMIT :limit
            """)
    List<Row> reversedPage(
            UUID host,
            UUID session,
            boolean system,
            @Nullable String role,
            @Nullable UUID turn,
            boolean reverted,
            @Nullable Long position,
            @Nullable Integer seq,
            int limit);
}
