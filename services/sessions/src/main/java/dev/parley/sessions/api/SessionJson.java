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

@Serdeable
@MappedEntity(value = "agent_session_t", schema = "sessions")
@Schema(name = "Session", description = "A session: a conversation with an agent.")
record SessionJson(
        @Schema(description = "Key of the session, which never changes.") @MappedProperty("session_key")
        String key,

        @Schema(description = "Id of this epoch of the key.") @Id @MappedProperty("session_id")
        UUID id,

        @Schema(description = "Number of earlier sessions with this key.")
        long epoch,

        @Schema(description = "Readable name for URLs, unique in the project.")
        String slug,

        @Schema(description = "Title of the session.") String title,

        @Schema(description = "Status of the session: active, archived or deleted.")
        String status,

        @Schema(description = "The agent that answers.") String agent,

        @Schema(description = "Settings that override those of the agent, or null.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        Map<String, Object> settings,

        String channel,
        @Nullable String channelId,
        @Nullable @MappedProperty("user_id") String user,

        @Schema(description = "The session that delegated to this one, or null.")
        @Nullable
        @MappedProperty("parent_session_id")
        UUID parentId,

        int depth,

        @Schema(description = "The provider of the last answer, or null.") @Nullable @MappedProperty("provider_id")
        String provider,

        @Schema(description = "The model of the last answer, or null.") @Nullable @MappedProperty("model_id")
        String model,

        @Schema(description = "The summary that replaces older turns in the context, or null.") @Nullable
        String summary,

        @Schema(description = "The last turn that the summary covers, or null.") @Nullable
        Long summaryUpTo,

        @Schema(description = "The running turn, or null.") @Nullable @MappedProperty("active_turn_id")
        UUID activeTurn,

        int messageCount,

        @Schema(description = "Usage, summed over all messages.") @TypeDef(type = DataType.JSON)
        UsageJson usage,

        @Schema(description = "Number of messages whose price is unknown, which the cost does not include.")
        @MappedProperty("unpriced_count")
        int unpriced,

        @MappedProperty("created_ts") Instant createdAt,
        @MappedProperty("update_ts") Instant updatedAt,
        @Nullable @MappedProperty("archived_ts") Instant archivedAt) {}
