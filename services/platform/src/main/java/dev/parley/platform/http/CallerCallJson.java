package dev.parley.platform.http;

import dev.parley.domain.protocol.CallerCall;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** JSON representation of a call of one of the caller's tools. */
@Serdeable
@Schema(name = "CallerCall", description = "A call of a tool of the caller, which waits for its result.")
public record CallerCallJson(
        @Schema(description = "The call's id.") UUID id,
        @Schema(description = "The turn's id.") UUID turn,

        @Schema(description = "The number of the model call that made it, from 0.")
        int step,

        @Schema(description = "The model's own id for it.") String callId,
        @Schema(description = "The tool's name.") String tool,

        @Schema(description = "JSON as the model wrote it; it fits the tool's schema where that can be checked.")
        String arguments,

        @Schema(description = "When the turn goes on without a result.")
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
