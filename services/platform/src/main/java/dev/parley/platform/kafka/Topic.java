package dev.parley.platform.kafka;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A topic of Parley and the type of its values.
 *
 * @param name lower-case, with hyphens, as Kubernetes takes it
 * @param type what its values are; a sealed interface stands for the records that implement it
 * @param key what its record keys are, in words
 * @param cleanup how old records go: after {@code retention}, or by compaction
 * @param retention how long records are kept, or null for as long as compaction leaves them
 * @param maxBytes of one record, compressed
 */
public record Topic<V>(
        String name,
        Class<V> type,
        String key,
        Cleanup cleanup,
        @Nullable Duration retention,
        int maxBytes) {

    /** After how long at most a compacted topic is compacted, and what was erased is gone from its log. */
    public static final Duration COMPACTED_WITHIN = Duration.ofDays(1);

    /** For how long a compacted topic says that something was erased: a consumer may be away so long and hear of it. */
    public static final Duration TOMBSTONES_KEPT = Duration.ofDays(7);

    /** How old records go. */
    public enum Cleanup {
        DELETE,
        COMPACT
    }

    /** Whether its records are copies of those of other topics, as bytes. */
    public boolean holdsCopies() {
        return type.isArray();
    }

    @Override
    public String toString() {
        return name;
    }
}
