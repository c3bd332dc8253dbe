package dev.parley.tools;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A call that nobody saw the end of, as clients see it. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "UnknownToolCall", description = "A tool call that nobody saw the end of.")
record UnknownCallJson(
        UUID id,
        UUID sessionId,

        @Schema(description = "The session's key; null where the session is erased.") @Nullable
        String session,

        UUID turnId,
        String agent,
        String tool,

        @Schema(description = "at_most_once, or reconcilable.")
        String effect,

        Instant startedAt,

        @Schema(description = "When the model was told.") Instant finishedAt,

        @Schema(description = "What the model was told.") String result,

        @Schema(description = "What a person found out; null as long as nobody has.") @Nullable
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

    /** What a person found out. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "ToolCallDecision", description = "What a person found out about a call.")
    record DecisionJson(
            @Schema(description = "happened or did_not_happen.")
            String outcome,

            @Schema(description = "The person's id.") String decidedBy,

            Instant decidedAt,
            @Nullable String note) {
        static DecisionJson of(UnknownCall.Decision decision) {
            return new DecisionJson(decision.outcome().code(), decision.user(), decision.at(), decision.note());
        }
    }

    /** What somebody says about a call. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "DecideToolCall", description = "What became of a call.")
    record DecideJson(
            @Schema(description = "happened or did_not_happen.", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable
            String outcome,

            @Schema(description = "How it was found out, at most 2,000 characters.") @Nullable
            String note) {}
}
