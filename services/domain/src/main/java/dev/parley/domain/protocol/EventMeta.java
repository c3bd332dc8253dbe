package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What every event carries.
 *
 * @param key the session's record key
 * @param seq the event's number in the key's life, dense from 1: {@code {key}#{seq}} is the record's key
 * @param turnId the turn it belongs to, or null
 */
public record EventMeta(
        UUID host,
        RecordKey key,
        UUID sessionId,
        long epoch,
        long seq,
        @Nullable UUID turnId,
        Instant at) {}
