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
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "Turn", description = "A turn: one user message to the final reply.")
public record TurnJson(
        @Schema(description = "The turn's id; the same for the same Idempotency-Key.")
        UUID id,

        @Schema(description = "The key of its session.") String session,

        @Schema(description = "Its number in the session, from 1; null while it is not known.") @Nullable
        Long seq,

        @Schema(description = "Where it stands.") TurnState state,
        @Schema(description = "What the user said.") String text,

        @Schema(description = "The final reply; empty until there is one.")
        String reply,

        @Schema(description = "Why it failed or was cancelled, or null.") @Nullable
        ErrorJson error,

        @Schema(description = "The model that answered its last step, as provider/model; null before one did.")
        @Nullable
        String model,

        @Schema(description = "Tokens and money that it took.")
        UsageJson usage,

        @Schema(description = "When it was accepted; null while that is not known.") @Nullable
        Instant createdAt,

        @Schema(description = "When it ended, or null.") @Nullable
        Instant completedAt,

        @Schema(
                description =
                        "What guardrails did about its texts; only where history is read, and where there is any.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        List<GuardrailJson> guardrails,

        @Schema(
                description =
                        "The calls that wait for the caller; only for requests with wait, and where there are any.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable
        List<CallerCallJson> calls) {

    /** What a guardrail did. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "TurnGuardrail", description = "What a guardrail did about a text; nothing of what was in it.")
    public record GuardrailJson(
            @Schema(description = "input or output.") String stage,

            @Schema(description = "Number of the model call that the text came before or from, from 0.")
            int step,

            @Schema(description = "Its name.") String guardrail,

            @Schema(description = "block, rewrite, or allow where it could not decide and lets such texts pass.")
            String action,

            @Schema(description = "A short code.") String reason,
            Instant at) {}

    /** Why a turn did not complete. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "TurnError", description = "Why a turn did not complete.")
    public record ErrorJson(
            @Schema(description = "What kind of error it is, in one word.")
            String type,

            @Schema(description = "The error in a sentence.")
            String message) {}

    /** What a turn used. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "Usage", description = "Tokens and money. Cached tokens are part of input, reasoning of output.")
    public record UsageJson(
            long input,
            long output,
            long reasoning,
            long cacheRead,
            long cacheWrite,

            @Schema(description = "US dollars; null where the price is not known.") @Nullable
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
