package dev.parley.platform.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.protocol.CallerCall;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.protocol.Usage;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** JSON representation of a turn. */
@Serdeable
@Schema(name = "Turn", description = "A turn, from the user's message to the final reply.")
public record TurnJson(
        @Schema(description = "Id of the turn; the same for the same Idempotency-Key.")
        UUID id,

        @Schema(description = "Key of the session.") String session,

        @Schema(description = "Number of the turn in its session, from 1; null while it is unknown.") @Nullable
        Long seq,

        @Schema(description = "State of the turn.") TurnState state,
        @Schema(description = "Text of the user's message.") String text,

        @Schema(description = "Final reply; empty until there is one.")
        String reply,

        @Schema(description = "Reason for the failure or cancellation; null if there is none.") @Nullable
        ErrorJson error,

        @Schema(description = "Model that answered the last step, as provider/model; null before the first answer.")
        @Nullable
        String model,

        @Schema(description = "Tokens and cost of the turn.")
        UsageJson usage,

        @Schema(description = "Time at which the turn was accepted; null while it is unknown.") @Nullable
        Instant createdAt,

        @Schema(description = "Time at which the turn ended; null if it has not ended.") @Nullable
        Instant completedAt,

        @Schema(
                description = "Actions of guardrails on the texts of the turn; present only in history, and only "
                        + "if there are any.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        List<GuardrailJson> guardrails,

        @Schema(
                description = "Calls that wait for the caller; present only for requests with wait, and only if "
                        + "there are any.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        List<CallerCallJson> calls) {

    /** An action of a guardrail. */
    @Serdeable
    @Schema(name = "TurnGuardrail", description = "Action of a guardrail on a text; excludes the text itself.")
    public record GuardrailJson(
            @Schema(description = "Stage: input or output.") String stage,

            @Schema(description = "Number of the model call that the text was sent to or came from, from 0.")
            int step,

            @Schema(description = "Name of the guardrail.") String guardrail,

            @Schema(
                    description = "Action: block, rewrite, or allow if the guardrail could not decide and "
                            + "lets such texts pass.")
            String action,

            @Schema(description = "Short code of the reason.")
            String reason,

            Instant at) {}

    /** The error of a turn that did not complete. */
    @Serdeable
    @Schema(name = "TurnError", description = "Reason why a turn did not complete.")
    public record ErrorJson(
            @Schema(description = "Type of the error, in one word.")
            String type,

            @Schema(description = "Error message, in one sentence.")
            String message) {
        /** The error of a type; null without one. The message defaults to the type. */
        public static @Nullable ErrorJson ofNullable(@Nullable String type, @Nullable String message) {
            return type == null ? null : new ErrorJson(type, message == null ? type : message);
        }
    }

    /** The usage of a turn. */
    @Serdeable
    @Schema(
            name = "Usage",
            description = "Tokens and cost. Cached tokens are part of input, reasoning tokens of output.")
    public record UsageJson(
            long input,
            long output,
            long reasoning,
            long cacheRead,
            long cacheWrite,

            @Schema(description = "Cost in US dollars; null if the price is unknown.") @Nullable
            BigDecimal cost) {
        private static final int NANO = 9;

        /** The JSON form. */
        public static UsageJson of(Usage usage) {
            return new UsageJson(
                    usage.input(),
                    usage.output(),
                    usage.reasoning(),
                    usage.cacheRead(),
                    usage.cacheWrite(),
                    usage.costNanos() == null ? null : dollars(usage.costNanos()));
        }

        private static BigDecimal dollars(long nanos) {
            BigDecimal value = BigDecimal.valueOf(nanos, NANO).stripTrailingZeros();
            return value.scale() < 0 ? value.setScale(0) : value;
        }
    }

    /** A turn that ended. */
    public static TurnJson of(Outcome.Finished turn) {
        return new TurnJson(
                turn.turnId(),
                turn.key().session(),
                turn.turnSeq(),
                turn.state(),
                turn.text(),
                turn.reply(),
                error(turn),
                turn.model(),
                UsageJson.of(turn.usage()),
                turn.createdAt(),
                turn.completedAt(),
                null,
                null);
    }

    /** A turn that is running or waiting, without results. */
    public static TurnJson open(
            UUID id, String session, @Nullable Long seq, TurnState state, String text, @Nullable Instant createdAt) {
        return new TurnJson(
                id, session, seq, state, text, "", null, null, UsageJson.of(Usage.NONE), createdAt, null, null, null);
    }

    /** This turn with the calls that wait for the caller, if there are any. */
    public TurnJson calling(List<CallerCall> waiting) {
        return waiting.isEmpty()
                ? this
                : new TurnJson(
                        id,
                        session,
                        seq,
                        TurnState.WAITING_TOOL,
                        text,
                        reply,
                        error,
                        model,
                        usage,
                        createdAt,
                        completedAt,
                        guardrails,
                        CallerCallJson.of(waiting));
    }

    private static @Nullable ErrorJson error(Outcome.Finished turn) {
        if (turn.error() == null) {
            return null;
        }
        return new ErrorJson(
                turn.error().code(),
                Objects.requireNonNullElse(turn.message(), turn.error().code()));
    }
}
