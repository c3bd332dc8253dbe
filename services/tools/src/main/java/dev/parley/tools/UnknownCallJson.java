package dev.parley.tools;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tool call of unknown outcome.
 *
 * @param session Key of the session; null if the session was erased.
 * @param effect Effect of the tool: at_most_once or reconcilable.
 * @param finishedAt Time at which the model received the result.
 * @param result Result that the model received.
 */
@Serdeable
@Schema(name = "UnknownToolCall")
record UnknownCallJson(
        UUID id,
        UUID sessionId,
        @Nullable String session,
        UUID turnId,
        String agent,
        String tool,
        String effect,
        Instant startedAt,
        Instant finishedAt,
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

    /**
     * Decision of a user about the outcome of a call.
     *
     * @param outcome Outcome of the call: happened or did_not_happen.
     * @param decidedBy Id of the user.
     */
    @Serdeable
    @Schema(name = "ToolCallDecision", description = "Decision of a user about the outcome of a call.")
    record DecisionJson(
            String outcome,
            String decidedBy,
            Instant decidedAt,
            @Nullable String note) {
        static DecisionJson of(UnknownCall.Decision decision) {
            return new DecisionJson(decision.outcome().code(), decision.user(), decision.at(), decision.note());
        }
    }

    /**
     * Outcome of a call, as determined by a user.
     *
     * @param note Explanation of how the outcome was determined; at most 2,000 characters.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "DecideToolCall")
    record DecideJson(
            @Schema(
                    description = "Outcome of the call: happened or did_not_happen.",
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable
            String outcome,

            @Nullable String note) {}
}
