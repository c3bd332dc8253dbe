package dev.parley.agents.api;

import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.Check;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import dev.parley.domain.session.TurnPhase.CallingModel;
import dev.parley.domain.session.TurnPhase.CallingTools;
import dev.parley.domain.session.TurnPhase.CheckingGuardrail;
import dev.parley.domain.session.TurnPhase.Recalling;
import dev.parley.platform.http.TurnJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The live state of a session, from the state store of the turn topology. */
@Serdeable
@Schema(name = "LiveSession", description = "Current state of a session, ahead of the projected views.")
record LiveJson(
        @Schema(description = "Key of the session.") String key,

        @Schema(description = "Id of the session in this epoch of its key.")
        UUID id,

        @Schema(description = "Number of times that the key was reset before.")
        long epoch,

        @Schema(description = "Status: active or archived.") String status,

        @Schema(description = "Name of the agent that answers.")
        String agent,

        @Schema(
                description = "Sequence number of the session's newest event; views that have projected it "
                        + "are up to date.")
        long lastSeq,

        @Schema(description = "Running turn; null if there is none.") @Nullable
        Active active,

        @Schema(description = "Queued turns, in the order in which they will run.")
        List<TurnJson> queue) {

    /** The running turn. */
    @Serdeable
    @Schema(name = "LiveTurn", description = "The running turn.")
    record Active(
            TurnJson turn,

            @Schema(description = "Number of the current model call, from 0.")
            int step,

            Instant startedAt,

            @Schema(description = "Time at which the turn fails if it has not ended.")
            Instant deadline,

            @Schema(description = "True if the turn is being cancelled.")
            boolean cancelling,

            @Schema(description = "Calls whose results the turn waits for.")
            List<Call> calls) {
        static Active of(String session, ActiveTurn active) {
            return new Active(
                    json(session, active),
                    active.step(),
                    active.startedAt(),
                    active.deadline(),
                    active.cancelling() != null,
                    openCalls(active));
        }

        private static TurnJson json(String session, ActiveTurn active) {
            QueuedTurn turn = active.turn();
            return new TurnJson(
                    turn.turnId(),
                    session,
                    turn.seq(),
                    active.state(),
                    Message.text(turn.content()),
                    "",
                    null,
                    active.lastModel(),
                    TurnJson.UsageJson.of(active.usage()),
                    turn.acceptedAt(),
                    null,
                    null,
                    null);
        }

        private static List<Call> openCalls(ActiveTurn active) {
            return switch (active.phase()) {
                case CheckingGuardrail(Check check) -> List.of(Call.of(check.toolCall()));
                case Recalling _ -> List.of();
                case CallingModel(ModelCall call) -> List.of(Call.of(call));
                case CallingTools(List<ToolCall> open) ->
                    open.stream().map(Call::of).toList();
            };
        }
    }

    /** An open call. */
    @Serdeable
    @Schema(name = "LiveCall", description = "An open call, whose result has not arrived.")
    record Call(
            UUID id,

            @Schema(description = "Kind of call: model, tool or session.")
            String kind,

            @Schema(description = "Name of the tool; null for a model call.") @Nullable
            String name,

            @Schema(description = "Key of the child session of a delegated call; null for other calls.") @Nullable
            String session,

            @Schema(description = "Number of the attempt, from 1.")
            int attempt,

            @Schema(
                    description =
                            "Time at which the lease expires and the call is retried, unless the worker renews it.")
            Instant leaseUntil,

            @Schema(description = "Time at which the call is retried; null while it runs.") @Nullable
            Instant retryAt) {
        static Call of(ModelCall call) {
            return new Call(call.callId(), "model", null, null, call.attempt(), call.leaseUntil(), call.retryAt());
        }

        static Call of(ToolCall call) {
            String child = call.child() == null ? null : call.child().session();
            return new Call(
                    call.callId(),
                    child == null ? "tool" : "session",
                    call.name(),
                    child,
                    call.attempt(),
                    call.leaseUntil(),
                    call.retryAt());
        }
    }

    static LiveJson of(SessionState state) {
        String key = state.key().session();
        Session session = state.open();
        List<TurnJson> queue = state.queue().stream()
                .map(turn -> TurnJson.open(
                        turn.turnId(),
                        key,
                        turn.seq(),
                        TurnState.QUEUED,
                        Message.text(turn.content()),
                        turn.acceptedAt()))
                .toList();
        return new LiveJson(
                key,
                session.sessionId(),
                session.epoch(),
                session.status().name().toLowerCase(Locale.ROOT),
                session.agent(),
                state.lastSeq(),
                state.active() == null ? null : Active.of(key, state.active()),
                queue);
    }
}
