package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of every event.
 *
 * @param key the session's record key
 * @param seq number of the event within its key, gapless from 1: {@code {key}#{seq}} is the record's key
 * @param turnId the turn that the event belongs to, or null
 */
public record EventMeta(
        UUID host,
        RecordKey key,
        UUID sessionId,
        long epoch,
        long seq,
        @Nullable UUID turnId,
        Instant at) {}
