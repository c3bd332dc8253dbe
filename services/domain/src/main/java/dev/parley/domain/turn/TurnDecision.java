package dev.parley.domain.turn;

import dev.parley.domain.protocol.TurnEvent;
import dev.parley.domain.session.SessionState;
import java.util.List;

/**
 * What a machine decided.
 *
 * @param state after all events
 * @param events what happened, in order
 * @param effects what is to be done, in order
 */
public record TurnDecision(SessionState state, List<TurnEvent> events, List<Effect> effects) {
    public TurnDecision {
        events = List.copyOf(events);
        effects = List.copyOf(effects);
    }
}
