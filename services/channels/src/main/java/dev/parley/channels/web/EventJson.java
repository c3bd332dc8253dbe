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
    @Schema(name = "TurnEvent", description = "A piece of a turn: a token, a tool call, its end.")
    record Piece(
            @Schema(description = "Which kind of event it is; only in WebSocket frames.") @Nullable
            String type,

            @Schema(description = "The turn's id.") UUID turn,
            @Schema(description = "The session's key.") String session,

            @Schema(description = "The number of the model call, from 0.")
            int step,

            @Schema(description = "The attempt at that call; a higher one starts the step's text over.")
            int attempt,

            @Schema(
                    description =
                            "The token, the tool's arguments or result, what the agent does now, the final reply or the error.")
            String text,

            @Schema(description = "The tool's name, for tool events.") @Nullable
            String tool,

            @Schema(description = "The model's id for the tool call, for tool events.") @Nullable
            String callId,

            @Schema(description = "The state of the turn, for started, done and error.") @Nullable
            TurnState state,

            @Schema(description = "By which a client resumes; only in WebSocket frames.") @Nullable
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

        Piece framed(TurnDelta.Kind kind, String id) {
            return new Piece(name(kind), turn, session, step, attempt, text, tool, callId, state, id);
        }
    }

    /** A message was accepted. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "AcceptedEvent", description = "The message was accepted; this is the turn that answers it.")
    record Accepted(
            @Schema(description = "accepted; only in WebSocket frames.") @Nullable
            String type,

            @Schema(description = "The turn's id.") UUID turn,

            @Schema(description = "The turn's id, under the name that it has elsewhere.")
            UUID id,

            @Schema(description = "The session's key.") String session,

            @Schema(description = "The turn's number in the session.") @Nullable
            Long seq,

            @Schema(description = "The state of the turn.") TurnState state,
            @Schema(description = "The user message.") String text,

            @Schema(description = "The number of turns queued before it.")
            int position,

            @Schema(description = "The id that the client gave its message; only in WebSocket frames.") @Nullable
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
    @Schema(name = "ProblemFrame", description = "A message to the socket that could not be carried out.")
    record Failed(
            String type,
            String code,
            String text,
            @Nullable String session,
            @Nullable String ref) implements EventJson {}

    /** A socket message that succeeded without a result. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "AcknowledgedFrame", description = "A subscription or a cancellation was carried out.")
    record Acknowledged(
            String type, String session, @Nullable String ref) implements EventJson {}

    /** The name of an event kind. */
    static String name(TurnDelta.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
