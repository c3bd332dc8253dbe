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
import dev.parley.platform.http.ReminderJson;
import dev.parley.platform.http.TurnJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Current state of a session, ahead of the projected views.
 *
 * @param key Key of the session.
 * @param id Id of the session in this epoch of its key.
 * @param epoch Number of times that the key was reset before.
 * @param status Status: active or archived.
 * @param agent Name of the agent that answers.
 * @param lastSeq Sequence number of the session's newest event; views that have projected it are up to date.
 * @param queue Queued turns, in the order in which they will run.
 * @param overheard What was said in the chat and not to the agent, oldest first; the next turn is told it.
 * @param reminders Reminders, the next one first.
 */
@Serdeable
@Schema(name = "LiveSession")
record LiveJson(
        String key,
        UUID id,
        long epoch,
        String status,
        String agent,
        long lastSeq,

        @Schema(description = "Running turn; null if there is none.") @Nullable
        Active active,

        List<TurnJson> queue,
        List<OverheardJson> overheard,
        List<ReminderJson> reminders) {

    /**
     * A message of a group that is not for the agent.
     *
     * @param speaker Name that the person chose.
     */
    @Serdeable
    @Schema(name = "OverheardMessage")
    record OverheardJson(String speaker, String text, Instant at) {}

    /**
     * The running turn.
     *
     * @param step Number of the current model call, from 0.
     * @param deadline Time at which the turn fails if it has not ended.
     * @param cancelling True if the turn is being cancelled.
     * @param calls Calls whose results the turn waits for.
     */
    @Serdeable
    @Schema(name = "LiveTurn", description = "The running turn.")
    record Active(TurnJson turn, int step, Instant startedAt, Instant deadline, boolean cancelling, List<Call> calls) {
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

    /**
     * An open call, whose result has not arrived.
     *
     * @param kind Kind of call: model, tool or session.
     * @param name Name of the tool; null for a model call.
     * @param session Key of the child session of a delegated call; null for other calls.
     * @param attempt Number of the attempt, from 1.
     * @param leaseUntil Time at which the lease expires and the call is retried, unless the worker renews it.
     * @param retryAt Time at which the call is retried; null while it runs.
     */
    @Serdeable
    @Schema(name = "LiveCall")
    record Call(
            UUID id,
            String kind,
            @Nullable String name,
            @Nullable String session,
            int attempt,
            Instant leaseUntil,
            @Nullable Instant retryAt) {
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
                queue,
                state.overheard().stream()
                        .map(message -> new OverheardJson(message.speaker(), message.text(), message.at()))
                        .toList(),
                state.nextReminders().stream().map(ReminderJson::of).toList());
    }
}
