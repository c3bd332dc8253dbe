package dev.parley.sessions.api;

import dev.parley.domain.protocol.TurnState;
import dev.parley.platform.http.TurnJson;
import dev.parley.platform.http.TurnJson.ErrorJson;
import dev.parley.platform.http.TurnJson.GuardrailJson;
import dev.parley.platform.http.TurnJson.UsageJson;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A turn as it is read from its table and its session's.
 *
 * @param reply the error message for a failed turn
 */
@MappedEntity(value = "agent_turn_t", schema = "sessions")
record TurnRow(
        @Id UUID turnId,
        String sessionKey,
        long turnSeq,
        TurnState state,
        String userMessage,
        @Nullable String reply,
        @Nullable String errorType,
        @Nullable String errorMessage,
        @Nullable String model,
        @TypeDef(type = DataType.JSON) UsageJson usage,
        Instant createdTs,
        @Nullable Instant completedTs,
        @Nullable @TypeDef(type = DataType.JSON) List<GuardrailJson> guardrails,
        String agent,
        @Nullable String userId,
        String origin,
        @TypeDef(type = DataType.JSON) FeedbackCounts feedback) {

    /** Number of opinions about a turn. */
    @Serdeable
    @Schema(name = "FeedbackCounts")
    record FeedbackCounts(int good, int bad, int other) {}

    /** The turn in the form in which channels answer. */
    TurnJson json() {
        return new TurnJson(
                turnId,
                sessionKey,
                turnSeq,
                state,
                userMessage,
                reply == null ? "" : reply,
                ErrorJson.ofNullable(errorType, errorMessage),
                model,
                usage,
                createdTs,
                completedTs,
                guardrails,
                null);
    }
}
