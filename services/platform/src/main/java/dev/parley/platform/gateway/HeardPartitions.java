package dev.parley.platform.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions of {@code outcomes} an instance reads: its own, those at which somebody waits, and each of these for {@link
 * #LINGER} more. A command may have been made with the name of a partition just before it went to another instance, and nobody waits
 * for that command until it is given.
 */
final class HeardPartitions {
    /** How long a command may take from when it is made until it is given. */
    static final Duration LINGER = Duration.ofSeconds(10);

    private final Map<Integer, Long> untilNanos = new HashMap<>();

    /**
     * What is read from now on.
     *
     * @param own the partition that is this instance's, or null
     * @param awaited at which somebody waits
     */
    Set<Integer> at(long nanos, @Nullable Integer own, Set<Integer> awaited) {
        untilNanos.values().removeIf(until -> until - nanos <= 0);
        awaited.forEach(partition -> keep(partition, nanos));
        if (own != null) {
            keep(own, nanos);
        }
        return Set.copyOf(untilNanos.keySet());
    }

    private void keep(int partition, long nanos) {
        untilNanos.put(partition, nanos + LINGER.toNanos());
    }
}
