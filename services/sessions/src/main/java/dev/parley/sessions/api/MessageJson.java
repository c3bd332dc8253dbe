package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.ErrorJson;
import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

@Serdeable
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
        Instant completedAt) {}
