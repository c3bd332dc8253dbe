package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.parley.platform.database.Columns;
import dev.parley.platform.http.TurnJson.UsageJson;
import dev.parley.sessions.JsonColumns;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Session", description = "A session: a conversation with an agent.")
record SessionJson(
        @Schema(description = "Key of the session, which never changes.")
        String key,

        @Schema(description = "Id of this epoch of the key.")
        UUID id,

        @Schema(description = "Number of earlier sessions with this key.")
        long epoch,

        @Schema(description = "Readable name for URLs, unique in the project.")
        String slug,

        @Schema(description = "Title of the session.") String title,

        @Schema(description = "Status of the session: active, archived or deleted.")
        String status,

        @Schema(description = "The agent that answers.") String agent,

        @Schema(description = "Settings that override those of the agent, or null.") @Nullable
        Map<String, Object> settings,

        String channel,
        @Nullable String channelId,
        @Nullable String user,

        @Schema(description = "The session that delegated to this one, or null.") @Nullable
        UUID parentId,

        int depth,

        @Schema(description = "The provider of the last answer, or null.") @Nullable
        String provider,

        @Schema(description = "The model of the last answer, or null.") @Nullable
        String model,

        @Schema(description = "The summary that replaces older turns in the context, or null.") @Nullable
        String summary,

        @Schema(description = "The last turn that the summary covers, or null.") @Nullable
        Long summaryUpTo,

        @Schema(description = "The running turn, or null.") @Nullable
        UUID activeTurn,

        int messageCount,

        @Schema(description = "Usage, summed over all messages.")
        UsageJson usage,

        @Schema(description = "Number of messages whose price is unknown, which the cost does not include.")
        int unpriced,

        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant archivedAt) {

    static final String COLUMNS = """
            s.session_key, s.session_id, s.epoch, s.slug, s.title, s.status, s.agent, s.settings, s.channel, s.channel_id, s.user_id,
            s.parent_session_id, s.depth, s.provider_id, s.model_id, s.summary, s.summary_up_to, s.active_turn_id,
            s.message_count, s.total_tokens_input, s.total_tokens_output, s.total_tokens_reasoning,
            s.total_tokens_cache_read, s.total_tokens_cache_write, s.total_cost, s.unpriced_count, s.created_ts,
            s.update_ts, s.archived_ts
            """;

    static SessionJson of(ResultSet row) throws SQLException {
        return new SessionJson(
                row.getString("session_key"),
                Columns.uuid(row, "session_id"),
                row.getLong("epoch"),
                row.getString("slug"),
                row.getString("title"),
                row.getString("status"),
                row.getString("agent"),
                JsonColumns.json(row, "settings", new TypeReference<>() {}),
                row.getString("channel"),
                row.getString("channel_id"),
                row.getString("user_id"),
                Columns.uuidOrNull(row, "parent_session_id"),
                row.getInt("depth"),
                row.getString("provider_id"),
                row.getString("model_id"),
                row.getString("summary"),
                row.getObject("summary_up_to", Long.class),
                Columns.uuidOrNull(row, "active_turn_id"),
                row.getInt("message_count"),
                TurnRowJson.usage(row, "total_", "total_cost"),
                row.getInt("unpriced_count"),
                Columns.time(row, "created_ts"),
                Columns.time(row, "update_ts"),
                Columns.timeOrNull(row, "archived_ts"));
    }
}
