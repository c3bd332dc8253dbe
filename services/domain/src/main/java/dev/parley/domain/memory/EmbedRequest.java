package dev.parley.domain.memory;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for embedding vectors. Self-contained.
 *
 * @param generation name of the embedding model, or null for the configured one
 * @param leaseUntil a worker that claims the call later drops it: it has been retried
 * @param deadline time after which the answer is no longer needed
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
