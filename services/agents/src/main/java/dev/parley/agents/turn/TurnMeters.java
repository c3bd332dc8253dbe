package dev.parley.agents.turn;

import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.SessionState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Metrics of turns. A decision that is repeated after a failed commit is counted again. */
record TurnMeters(MeterRegistry registry) {
    private static final Duration[] BOUNDS = Stream.of(
                    100L, 250L, 500L, 1_000L, 2_500L, 5_000L, 10_000L, 30_000L, 60_000L, 300_000L, 1_800_000L)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    /**
     * Counts an event.
     *
     * @param before the session before it
     */
    void count(TurnEvent event, SessionState before) {
        switch (event) {
            case TurnEvent.TurnCompleted _ -> countEnded(event, before, "completed", "");
            case TurnEvent.TurnFailed failed ->
                countEnded(event, before, "failed", failed.category().code());
            case TurnEvent.TurnCancelled _ -> countEnded(event, before, "cancelled", "");
            case TurnEvent.GuardrailApplied applied -> countGuardrail(applied);
            case TurnEvent.FeedbackGiven given -> countFeedback(given);
            case TurnEvent.HandoffChanged changed -> countHandoff(changed, before);
            default -> {} // other events do not end a turn
        }
    }

    private void countEnded(TurnEvent event, SessionState before, String state, String error) {
        Counter.builder("parley.turns.ended")
                .description("Turns that ended, by how, and failed ones by why")
                .tag("state", state)
                .tag("error", error)
                .register(registry)
                .increment();
        Optional.ofNullable(before.active())
                .filter(turn -> turn.turnId().equals(event.meta().turnId()))
                .map(ActiveTurn::startedAt)
                .ifPresent(started -> Timer.builder("parley.turn")
                        .description("How long turns took from their start, without the time in the queue")
                        .tag("state", state)
                        .serviceLevelObjectives(BOUNDS)
                        .register(registry)
                        .record(Duration.between(started, event.meta().at())));
    }

    /** Counts a session that the owner of its key refused, because somebody else had opened it. */
    void countTakeOver(Actor owner) {
        Counter.builder("parley.sessions.taken.over")
                .description("Sessions opened by others that the bot, process or delegate of their key refused")
                .tag("owner", owner.kind().code())
                .register(registry)
                .increment();
    }

    private void countFeedback(TurnEvent.FeedbackGiven given) {
        Counter.builder("parley.feedback")
                .description("Opinions of people about turns, given or taken back")
                .tag("opinion", given.opinion().name().toLowerCase(Locale.ROOT))
                .register(registry)
                .increment();
    }

    private void countHandoff(TurnEvent.HandoffChanged changed, SessionState before) {
        String change = changed.change().name().toLowerCase(Locale.ROOT);
        Counter.builder("parley.handoffs")
                .description("Conversations for which an operator was asked, that one took, or that returned, by how")
                .tag("change", change)
                .register(registry)
                .increment();
        Handoff handoff = before.handoff();
        if (handoff != null && handoff.operator() == null && changed.change() != Handoff.Change.ASKED) {
            Timer.builder("parley.handoff.wait")
                    .description("How long conversations waited for an operator, by what ended the waiting")
                    .tag("change", change)
                    .serviceLevelObjectives(BOUNDS)
                    .register(registry)
                    .record(Duration.between(handoff.askedAt(), changed.meta().at()));
        }
    }

    private void countGuardrail(TurnEvent.GuardrailApplied applied) {
        Counter.builder("parley.guardrails.applied")
                .description("Texts that guardrails blocked, rewrote, or let pass without being able to decide")
                .tag("stage", applied.stage().code())
                .tag("action", applied.action().code())
                .register(registry)
                .increment();
    }
}
