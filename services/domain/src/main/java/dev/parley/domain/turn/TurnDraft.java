package dev.parley.domain.turn;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.Definitions;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.EventMeta;
import dev.parley.domain.protocol.Outcome;
import dev.parley.domain.protocol.TurnCommand.Reset;
import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.protocol.TurnEvent.ContextReset;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.domain.session.ActiveTurn;
import dev.parley.domain.session.QueuedTurn;
import dev.parley.domain.session.Seeding;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A decision in progress. Each emitted event is applied to the state immediately. */
final class TurnDraft {
    private final DecisionContext decisionContext;
    private final List<TurnEvent> events = new ArrayList<>();
    private final List<TurnEffect> effects = new ArrayList<>();
    private SessionState state;

    TurnDraft(SessionState state, DecisionContext decisionContext) {
        this.state = state;
        this.decisionContext = decisionContext;
    }

    TurnDecision decision() {
        return new TurnDecision(state, events, effects);
    }

    SessionState state() {
        return state;
    }

    ActiveTurn turn() {
        return state.running();
    }

    Instant now() {
        return decisionContext.now();
    }

    DecisionContext decisionContext() {
        return decisionContext;
    }

    /** The stored outcome of an earlier command or ended turn. */
    Optional<Outcome> outcome(UUID id) {
        return decisionContext.storedOutcomes().apply(id);
    }

    Definitions definitions() {
        return decisionContext.definitions();
    }

    /** The active turn's agent, in the version pinned at the turn's start, with the turn's settings. */
    Agent agent() {
        return agent(turn().turn().agent(), turn().agentVersion())
                .with(turn().turn().settings());
    }

    /** This version of an agent; the default agent if it no longer exists. */
    Agent agent(String name, String version) {
        return definitions()
                .agent(name, version)
                .or(() -> definitions().agent(Agent.DEFAULT))
                .or(() -> definitions().agents().stream().findFirst())
                .orElseThrow(() -> new IllegalStateException("no agent is defined"));
    }

    /** The agent that the session was opened with. */
    Agent sessionAgent() {
        return agent(state.open().agent(), "");
    }

    /** Metadata of the session's next event. */
    EventMeta meta(@Nullable UUID turnId) {
        Session session = state.open();
        return new EventMeta(
                session.host(), state.key(), session.sessionId(), session.epoch(), state.lastSeq() + 1, turnId, now());
    }

    /** Metadata of the active turn's next event. */
    EventMeta turnMeta() {
        return meta(turn().turnId());
    }

    /** Metadata of a command that the active turn sends to another session or a bank. */
    CommandMeta commandMeta(UUID id) {
        QueuedTurn turn = turn().turn();
        return new CommandMeta(id, state.open().host(), now(), turn.user(), null, turn.trace())
                .by(Actor.delegate(state.key(), state.open().since()));
    }

    void emit(TurnEvent event) {
        SessionState old = state;
        var before = old.context();
        state = Evolution.evolve(old, event);
        var stored = Entries.of(old, event, state);
        events.add(event);
        var after = state.context();
        deleteEntries(before.first(), after.first());
        boolean restored = event instanceof ContextReset reset && reset.reset() == Reset.UNREVERT;
        if (after.reversion() == null && !restored) {
            // entries after the point that the context returned to
            deleteEntries(Math.min(before.next(), after.next()), before.end());
        }
        effects.addAll(stored);
    }

    /** Sets or clears what a fork or import still waits for. No event records it, as it concerns the transfer only. */
    void setSeeding(@Nullable Seeding seeding) {
        state = state.withSeeding(seeding);
    }

    /** Drops the reminders of an imported session. No event records it: they stay in the original. */
    void dropReminders() {
        state = state.withoutReminders();
    }

    private void deleteEntries(long from, long to) {
        if (from < to) {
            effects.add(new TurnEffect.DeleteEntries(from, to));
        }
    }

    /** Whether the decision has events. */
    boolean isChanged() {
        return !events.isEmpty();
    }

    void effect(TurnEffect effect) {
        effects.add(effect);
    }

    /** Sends the outcome to every partition that waits for the turn. */
    void notifyWaiters(QueuedTurn turn, Outcome outcome) {
        for (int partition : turn.waiters()) {
            effects.add(new TurnEffect.SendOutcome(partition, outcome));
        }
    }
}
