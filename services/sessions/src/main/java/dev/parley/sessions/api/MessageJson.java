package dev.parley.sessions.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.platform.database.Columns;
import dev.parley.platform.http.TurnJson.ErrorJson;
import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@RecordBuilder
@Schema(name = "Message", description = "A message of one role, with its parts in order.")
record MessageJson(
        UUID id,

        @Schema(description = "Id of the turn; null for messages copied by a fork.") @Nullable
        UUID turn,

        @Schema(description = "Role of the author: user, assistant, system or tool.")
        String role,

        List<PartJson> parts,

        @Schema(description = "Id of the user message that an assistant message answers, or null.") @Nullable
        UUID parentId,

        @Nullable String provider,
        @Nullable String model,
        @Nullable String agent,

        @Schema(
                description = "Reason for the end: stop, tool-calls, length, error, content-filter, cancelled or "
                        + "unknown; null while in progress.")
        @Nullable
        String finishReason,

        @Nullable ErrorJson error,

        @Schema(description = "Usage of the model call; null for messages without one.") @Nullable
        UsageJson usage,

        @Schema(description = "True if the model was interrupted.")
        boolean interrupted,

        Instant createdAt,

        @Schema(description = "Time of completion; null while in progress.") @Nullable
        Instant completedAt)
        implements MessageJsonBuilder.With {

    static final String COLUMNS = """
            m.message_id, m.turn_id, m.role, m.parent_id, m.provider_id, m.model_id, m.agent, m.finish_reason, m.error_type,
            m.error_message, m.interrupted, m.tokens_input, m.tokens_output, m.tokens_reasoning, m.tokens_cache_read,
            m.tokens_cache_write, m.cost, m.created_ts, m.completed_ts, m.position, m.seq
            """;

    static MessageJson of(ResultSet row, List<PartJson> parts) throws SQLException {
        boolean spoken = "assistant".equals(row.getString("role"));
        return new MessageJson(
                Columns.uuid(row, "message_id"),
                Columns.uuidOrNull(row, "turn_id"),
                row.getString("role"),
                parts,
                Columns.uuidOrNull(row, "parent_id"),
                row.getString("provider_id"),
                row.getString("model_id"),
                row.getString("agent"),
                row.getString("finish_reason"),
                TurnRowJson.error(row.getString("error_type"), row.getString("error_message")),
                spoken ? TurnRowJson.usage(row, "", "cost") : null,
                row.getBoolean("interrupted"),
                Columns.time(row, "created_ts"),
                Columns.timeOrNull(row, "completed_ts"));
    }
}
