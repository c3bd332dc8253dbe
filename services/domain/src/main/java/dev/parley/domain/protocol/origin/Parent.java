package dev.parley.domain.protocol.origin;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call of another session that waits for a turn's reply.
 *
 * @param agents the delegating agents, root first; their number is the turn's depth
 * @param top id of the root turn, or null if unknown
 * @param filesTo address for files of this turn, that of the user at the root; or null if there is none
 */
public record Parent(
        RecordKey key,
        UUID sessionId,
        UUID callId,
        List<String> agents,
        @Nullable UUID top,
        @Nullable ReplyAddress filesTo) {
    public Parent {
        agents = List.copyOf(agents);
    }

    /**
     * Whether an agent, not a workflow process, waits for the reply: then the turn is only for that agent, which also
     * retains it.
     */
    public boolean isAgent() {
        return !ProcessRef.isKey(key);
    }
}
