package dev.parley.platform.kafka;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A topic of Parley and the type of its values.
 *
 * @param name lower-case, with hyphens, valid in Kubernetes
 * @param type of its values; a sealed interface for the records that implement it
 * @param key description of its record keys
 * @param cleanup policy for old records
 * @param retention of records; null if compaction decides
 * @param maxBytes maximum size of a compressed record
 */
public record Topic<V>(
        String name,
        Class<V> type,
        String key,
        Cleanup cleanup,
        @Nullable Duration retention,
        int maxBytes) {

    /** Time within which a compacted topic is compacted, so that erased records are gone from its log. */
    public static final Duration COMPACTED_WITHIN = Duration.ofDays(1);

    /** Retention of tombstones: a consumer that is offline for a shorter time misses none. */
    public static final Duration TOMBSTONES_KEPT = Duration.ofDays(7);

    /** Cleanup policy. */
    public enum Cleanup {
        DELETE,
        COMPACT
    }

    /** Whether its records are copies of records of other topics, as bytes. */
    public boolean holdsCopies() {
        return type.isArray();
    }

    @Override
    public String toString() {
        return name;
    }
}
