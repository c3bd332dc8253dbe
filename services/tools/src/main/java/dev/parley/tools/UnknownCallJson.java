package dev.parley.tools;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The JSON of a tool call of unknown outcome. */
@Serdeable
@Schema(name = "UnknownToolCall", description = "A tool call of unknown outcome.")
record UnknownCallJson(
        UUID id,
        UUID sessionId,

        @Schema(description = "Key of the session; null if the session was erased.") @Nullable
        String session,

        UUID turnId,
        String agent,
        String tool,

        @Schema(description = "Effect of the tool: at_most_once or reconcilable.")
        String effect,

        Instant startedAt,

        @Schema(description = "Time at which the model received the result.")
        Instant finishedAt,

        @Schema(description = "Result that the model received.")
        String result,

        @Schema(description = "Decision of a user; null while it is pending.") @Nullable
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
    @Schema(name = "ToolCallDecision", description = "Decision of a user about the outcome of a call.")
    record DecisionJson(
            @Schema(description = "Outcome of the call: happened or did_not_happen.")
            String outcome,

            @Schema(description = "Id of the user.") String decidedBy,

            Instant decidedAt,
            @Nullable String note) {
        static DecisionJson of(UnknownCall.Decision decision) {
            return new DecisionJson(decision.outcome().code(), decision.user(), decision.at(), decision.note());
        }
    }

    /** The request to decide a call. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "DecideToolCall", description = "Outcome of a call, as determined by a user.")
    record DecideJson(
            @Schema(
                    description = "Outcome of the call: happened or did_not_happen.",
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable
            String outcome,

            @Schema(description = "Explanation of how the outcome was determined; at most 2,000 characters.") @Nullable
            String note) {}
}
