package dev.parley.agents.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.domain.content.Message;
import dev.parley.domain.protocol.ToolCall;
import dev.parley.domain.protocol.TurnState;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.ModelCall;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import dev.parley.platform.http.TurnJson;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A session as the topology has it at this moment. */
@Serdeable
@JsonInclude(JsonInclude.Include.ALWAYS)
@Schema(name = "LiveSession", description = "A session as it is at this moment, before any view shows it.")
record LiveJson(
        @Schema(description = "Its key.") String key,

        @Schema(description = "The id of this epoch of the key.")
        UUID id,

        @Schema(description = "How often the key was begun anew before.")
        long epoch,

        @Schema(description = "active or archived.") String status,
        @Schema(description = "The agent that answers.") String agent,

        @Schema(description = "The number of the session's newest event; views that have shown it are up to date.")
        long lastSeq,

        @Schema(description = "The turn that runs, or null.") @Nullable
        Active active,

        @Schema(description = "The turns that wait, in the order in which they will run.")
        List<TurnJson> queue) {

    /** The turn that runs. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "LiveTurn", description = "The turn that runs.")
    record Active(
            TurnJson turn,

            @Schema(description = "The number of the model call that it is at, from 0.")
            int step,

            Instant startedAt,

            @Schema(description = "When it is ended, finished or not.")
            Instant deadline,

            @Schema(description = "Whether it is being cancelled.")
            boolean cancelling,

            @Schema(description = "The calls whose results it waits for.")
            List<Call> calls) {
        static Active of(String session, ActiveTurn active) {
            QueuedTurn turn = active.turn();
            var calls = new ArrayList<Call>();
            var check = active.guarded().check();
            if (check != null && check.call() != null) {
                calls.add(Call.of(check.call()));
            } else if (active.model() != null) {
                calls.add(Call.of(active.model()));
            }
            active.calls().stream()
                    .filter(call -> !call.status().isFinal())
                    .map(Call::of)
                    .forEach(calls::add);
            var json = new TurnJson(
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
            return new Active(
                    json, active.step(), active.startedAt(), active.deadline(), active.cancelling() != null, calls);
        }
    }

    /** A call that is open. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    @Schema(name = "LiveCall", description = "A call whose result is waited for.")
    record Call(
            UUID id,
            @Schema(description = "model, tool or session.") String kind,

            @Schema(description = "The tool's name; null for a model.") @Nullable
            String name,

            @Schema(description = "The key of the session that carries it out, for a delegate's; else null.") @Nullable
            String session,

            @Schema(description = "Which attempt it is, from 1.")
            int attempt,

            @Schema(description = "Without a sign of life until then it is made again.")
            Instant leaseUntil,

            @Schema(description = "When it is made again; null while it goes on.") @Nullable
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
