package dev.parley.tools;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The JSON of a tool call of unknown outcome. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "UnknownToolCall", description = "A tool call of unknown outcome.")
record UnknownCallJson(
        UUID id,
        UUID sessionId,

        @Schema(description = "The session key; null if the session is erased.") @Nullable
        String session,

        UUID turnId,
        String agent,
        String tool,

        @Schema(description = "at_most_once, or reconcilable.")
        String effect,

        Instant startedAt,

        @Schema(description = "When the model received the result.")
        Instant finishedAt,

        @Schema(description = "The result that the model received.")
        String result,

        @Schema(description = "The decision of a user; null while it is pending.") @Nullable
        DecisionJson decision) {
    static UnknownCallJson of(UnknownCall call) {
        return new UnknownCallJson(
                call.id(),
                call.sessionId(),
                call.session().isEmpty() ? null : call.session(),
                call.turnId(),
                call.agent(),
                call.tool(),
                word(call.effect()),
                call.startedAt(),
                call.finishedAt(),
                call.result(),
                call.decision() == null ? null : DecisionJson.of(call.decision()));
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** The decision of a user. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ToolCallDecision", description = "The decision of a user about the outcome of a call.")
    record DecisionJson(
            @Schema(description = "happened or did_not_happen.")
            String outcome,

            @Schema(description = "The user's id.") String decidedBy,

            Instant decidedAt,
            @Nullable String note) {
        static DecisionJson of(UnknownCall.Decision decision) {
            return new DecisionJson(decision.outcome().code(), decision.user(), decision.at(), decision.note());
        }
    }

    /** The request to decide a call. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "DecideToolCall", description = "The outcome of a call.")
    record DecideJson(
            @Schema(description = "happened or did_not_happen.", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
            String outcome,

            @Schema(description = "How the outcome was determined; at most 2,000 characters.") @Nullable
            String note) {}
}
