package dev.parley.channels.openai.store;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of {@code channels.openai_call_t}: a function call that was handed to a client.
 *
 * @param session key of the session, without its project
 * @param step number of the model call that made it
 * @param usage JSON of the usage of the turn up to it; null where it is unknown
 */
@MappedEntity(value = "openai_call_t", schema = "channels")
public record StoredCall(
        UUID hostId,
        @Id UUID callId,
        UUID projectId,
        String session,
        UUID turnId,
        int step,
        @Nullable String usage) {
    /** Whether both are calls of one answer of the model. */
    public boolean isWith(StoredCall other) {
        return turnId.equals(other.turnId) && step == other.step && session.equals(other.session);
    }
}
