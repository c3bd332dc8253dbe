package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A session: a conversation with an agent.
 *
 * @param key Key of the session, which never changes.
 * @param id Id of this epoch of the key.
 * @param epoch Number of earlier sessions with this key.
 * @param slug Readable name for URLs, unique in the project.
 * @param title Title of the session.
 * @param status Status of the session: active, archived or deleted.
 * @param agent The agent that answers.
 * @param settings Settings that override those of the agent, or null.
 * @param parentId The session that delegated to this one, or null.
 * @param provider The provider of the last answer, or null.
 * @param model The model of the last answer, or null.
 * @param summary The summary that replaces older turns in the context, or null.
 * @param summaryUpTo The last turn that the summary covers, or null.
 * @param activeTurn The running turn, or null.
 * @param unpriced Number of messages whose price is unknown, which the cost does not include.
 */
@Serdeable
@MappedEntity(value = "agent_session_t", schema = "sessions")
@Schema(name = "Session")
public record SessionJson(
        @MappedProperty("session_key") String key,
        @Id @MappedProperty("session_id") UUID id,
        long epoch,
        String slug,
        String title,
        String status,
        String agent,
        @Nullable @TypeDef(type = DataType.JSON) Map<String, Object> settings,
        String channel,
        @Nullable String channelId,
        @Nullable @MappedProperty("user_id") String user,
        @Nullable @MappedProperty("parent_session_id") UUID parentId,
        int depth,
        @Nullable @MappedProperty("provider_id") String provider,
        @Nullable @MappedProperty("model_id") String model,
        @Nullable String summary,
        @Nullable Long summaryUpTo,
        @Nullable @MappedProperty("active_turn_id") UUID activeTurn,
        int messageCount,

        @Schema(description = "Usage, summed over all messages.") @TypeDef(type = DataType.JSON)
        UsageJson usage,

        @MappedProperty("unpriced_count") int unpriced,
        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,
        @Nullable @MappedProperty("archived_ts") Instant archivedAt) {}
