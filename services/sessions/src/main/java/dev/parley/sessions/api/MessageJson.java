package dev.parley.sessions.api;

import dev.parley.platform.http.TurnJson.ErrorJson;
import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message of one role, with its parts in order.
 *
 * @param turn Id of the turn; null for messages copied by a fork.
 * @param role Role of the author: user, assistant, system or tool.
 * @param parentId Id of the user message that an assistant message answers, or null.
 * @param finishReason Reason for the end: stop, tool-calls, length, error, content-filter, cancelled or unknown; null
 *     while in progress.
 * @param interrupted True if the model was interrupted.
 * @param completedAt Time of completion; null while in progress.
 */
@Serdeable
@Schema(name = "Message")
public record MessageJson(
        UUID id,
        @Nullable UUID turn,
        String role,
        List<PartJson> parts,
        @Nullable UUID parentId,
        @Nullable String provider,
        @Nullable String model,
        @Nullable String agent,
        @Nullable String finishReason,
        @Nullable ErrorJson error,

        @Schema(description = "Usage of the model call; null for messages without one.") @Nullable
        UsageJson usage,

        boolean interrupted,
        Instant createdAt,
        @Nullable Instant completedAt) {}
