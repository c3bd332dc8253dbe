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

    /**
     * An event of a turn, such as a token, a tool call or the end of the turn.
     *
     * @param type Kind of event; only in WebSocket frames.
     * @param turn Id of the turn.
     * @param session Key of the session.
     * @param step Number of the model call in the turn, from 0.
     * @param attempt Number of the attempt at the model call; a higher one restarts the text of the step.
     * @param text Token, arguments or result of the tool, current activity of the agent, final reply or error, by the
     *     kind of event.
     * @param tool Name of the tool, for tool events.
     * @param callId Id that the model gave the tool call, for tool events; for approval the id of the approval, for
     *     caller_call that of the call.
     * @param state State of the turn, for started, done and error.
     * @param eventId Id of the event, from which a client resumes; only in WebSocket frames.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "TurnEvent")
    record Piece(
            @Nullable String type,
            UUID turn,
            String session,
            int step,
            int attempt,
            String text,
            @Nullable String tool,
            @Nullable String callId,
            @Nullable TurnState state,
            @Nullable String eventId)
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

    /**
     * The turn of an accepted message.
     *
     * @param type Always accepted; only in WebSocket frames.
     * @param turn Id of the turn.
     * @param id Id of the turn, under the name used elsewhere.
     * @param session Key of the session.
     * @param seq Number of the turn in the session.
     * @param state State of the turn.
     * @param text Text of the user message.
     * @param position Number of turns queued before this one.
     * @param ref Id that the client gave its message; only in WebSocket frames.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "AcceptedEvent")
    record Accepted(
            @Nullable String type,
            UUID turn,
            UUID id,
            String session,
            @Nullable Long seq,
            TurnState state,
            String text,
            int position,
            @Nullable String ref)
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

    /** A WebSocket message that failed. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "ProblemFrame")
    record Failed(
            String type,
            String code,
            String text,
            @Nullable String session,
            @Nullable String ref) implements EventJson {}

    /** A subscription or cancellation that succeeded. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "AcknowledgedFrame")
    record Acknowledged(
            String type, String session, @Nullable String ref) implements EventJson {}

    /** The name of an event kind. */
    static String name(TurnDelta.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
