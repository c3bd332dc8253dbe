package dev.parley.domain.turn;

import dev.parley.domain.RecordKey;
import java.util.List;
import java.util.UUID;

/**
 * The call of another session that waits for a turn's reply.
 *
 * @param agents the agents above this turn, from the top; its size is the turn's depth
 */
public record Parent(RecordKey key, UUID sessionId, UUID callId, List<String> agents) {
    public Parent {
        agents = List.copyOf(agents);
    }
}
