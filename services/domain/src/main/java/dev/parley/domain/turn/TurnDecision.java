package dev.parley.domain.turn;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.session.SessionState;
import java.util.List;

/**
 * The result of a decision.
 *
 * @param state the state after all events
 * @param events in order
 * @param effects side effects to execute, in order
 */
public record TurnDecision(SessionState state, List<TurnEvent> events, List<TurnEffect> effects) {
    public TurnDecision {
        events = List.copyOf(events);
        effects = List.copyOf(effects);
    }
}
