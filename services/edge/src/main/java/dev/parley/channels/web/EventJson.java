package dev.parley.channels.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.TurnDelta;
import dev.parley.domain.protocol.TurnState;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An event of a session, as SSE data or a WebSocket frame. */
sealed interface EventJson {

    /** A delta. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(
            name = "TurnEvent",
            description = "An event of a turn, such as a token, a tool call or the end of the turn.")
    record Piece(
            @Schema(description = "Kind of event; only in WebSocket frames.") @Nullable
            String type,

            @Schema(description = "Id of the turn.") UUID turn,
            @Schema(description = "Key of the session.") String session,

            @Schema(description = "Number of the model call in the turn, from 0.")
            int step,

            @Schema(
                    description =
                            "Number of the attempt at the model call; a higher one restarts the text of the step.")
            int attempt,

            @Schema(
                    description =
                            "Token, arguments or result of the tool, current activity of the agent, final reply or "
                                    + "error, by the kind of event.")
            String text,

            @Schema(description = "Name of the tool, for tool events.") @Nullable
            String tool,

            @Schema(
                    description = "Id that the model gave the tool call, for tool events; for approval the id of the "
                            + "approval, for caller_call that of the call.")
            @Nullable
            String callId,

            @Schema(description = "State of the turn, for started, done and error.") @Nullable
            TurnState state,

            @Schema(description = "Id of the event, from which a client resumes; only in WebSocket frames.") @Nullable
            String eventId)
            implements EventJson {
        static Piece of(RecordKey key, TurnDelta delta) {
            return new Piece(
                    null,
                    delta.turnId(),
                    key.session(),
                    delta.step(),
                    delta.attempt(),
                    delta.text(),
                    delta.toolName(),
                    delta.toolCallId(),
                    delta.state(),
                    null);
        }

        Piece toFrame(TurnDelta.Kind kind, String id) {
            return new Piece(name(kind), turn, session, step, attempt, text, tool, callId, state, id);
        }
    }

    /** A message was accepted. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "AcceptedEvent", description = "The turn of an accepted message.")
    record Accepted(
            @Schema(description = "Always accepted; only in WebSocket frames.") @Nullable
            String type,

            @Schema(description = "Id of the turn.") UUID turn,

            @Schema(description = "Id of the turn, under the name used elsewhere.")
            UUID id,

            @Schema(description = "Key of the session.") String session,

            @Schema(description = "Number of the turn in the session.") @Nullable
            Long seq,

            @Schema(description = "State of the turn.") TurnState state,

            @Schema(description = "Text of the user message.")
            String text,

            @Schema(description = "Number of turns queued before this one.")
            int position,

            @Schema(description = "Id that the client gave its message; only in WebSocket frames.") @Nullable
            String ref)
            implements EventJson {
        static Accepted of(TurnSubmitter.Submitted submitted, @Nullable String type, @Nullable String ref) {
            var turn = submitted.json();
            return new Accepted(
                    type,
                    turn.id(),
                    turn.id(),
                    turn.session(),
                    turn.seq(),
                    turn.state(),
                    turn.text(),
                    submitted.position(),
                    ref);
        }
    }

    /** A socket message that failed. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "ProblemFrame", description = "A WebSocket message that failed.")
    record Failed(
            String type,
            String code,
            String text,
            @Nullable String session,
            @Nullable String ref) implements EventJson {}

    /** A socket message that succeeded without a result. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "AcknowledgedFrame", description = "A subscription or cancellation that succeeded.")
    record Acknowledged(
            String type, String session, @Nullable String ref) implements EventJson {}

    /** The name of an event kind. */
    static String name(TurnDelta.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
