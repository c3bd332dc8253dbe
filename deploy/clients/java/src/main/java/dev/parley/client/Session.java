package dev.parley.client;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A conversation.
 *
 * @param id of this epoch of the key
 * @param title what it is called, or null
 * @param status {@code active}, {@code archived} or {@code deleted}
 * @param agent that answers, or null
 */
public record Session(
        String key,
        UUID id,
        @Nullable String title,
        String status,
        @Nullable String agent,
        @Nullable String user,
        @Nullable Instant createdAt,
        @Nullable Instant updatedAt) {}
