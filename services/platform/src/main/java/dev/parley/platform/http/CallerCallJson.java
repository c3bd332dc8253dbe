package dev.parley.platform.http;

import dev.parley.domain.protocol.CallerCall;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** JSON representation of a call of one of the caller's tools. */
@Serdeable
@Schema(name = "CallerCall", description = "A call of one of the caller's tools that waits for its result.")
public record CallerCallJson(
        @Schema(description = "Id of the call.") UUID id,
        @Schema(description = "Id of the turn.") UUID turn,

        @Schema(description = "Number of the model call that requested this call, from 0.")
        int step,

        @Schema(description = "Id that the model gave the call.")
        String callId,

        @Schema(description = "Name of the tool.") String tool,

        @Schema(
                description = "Arguments in JSON, as the model wrote them; valid against the tool's schema if that "
                        + "can be checked.")
        String arguments,

        @Schema(description = "Time at which the turn continues without a result.")
        Instant expiresAt) {

    /** The calls, in their order. */
    public static List<CallerCallJson> of(List<CallerCall> calls) {
        return calls.stream().map(CallerCallJson::of).toList();
    }

    private static CallerCallJson of(CallerCall call) {
        return new CallerCallJson(
                call.callId(),
                call.turnId(),
                call.step(),
                call.toolCallId(),
                call.name(),
                call.arguments(),
                call.expiresAt());
    }
}
