package dev.parley.domain.protocol;

import dev.parley.domain.ProcessRef;
import dev.parley.domain.RecordKey;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call of another session that waits for a turn's reply.
 *
 * @param agents the agents above this turn, from the top; its size is the turn's depth
 * @param top id of the turn at the top, or null where that is not known
 * @param filesTo where files of this turn are delivered: to the person at the top, or null where nobody is
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

    /** Whether an agent waits for the reply, and not a process: what is said is for that agent alone then, and remembered by it. */
    public boolean isAgent() {
        return !ProcessRef.isKey(key);
    }
}
