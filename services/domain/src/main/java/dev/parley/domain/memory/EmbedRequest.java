package dev.parley.domain.memory;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Texts whose meaning is asked for; complete, a worker needs nothing else.
 *
 * @param generation name of the model that is to make the vectors, or null for the one that is set
 * @param leaseUntil a worker that takes the call up after this moment drops it: it has been asked again
 * @param deadline when the answer is of no use any more
 */
public record EmbedRequest(
        UUID callId,
        int attempt,
        @Nullable String generation,
        List<String> texts,
        Instant leaseUntil,
        Instant deadline) {
    public EmbedRequest {
        texts = List.copyOf(texts);
    }
}
