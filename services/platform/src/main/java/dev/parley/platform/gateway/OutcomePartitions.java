package dev.parley.platform.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of {@code outcomes} that an instance reads: its own, those of waiting callers, and each of these for
 * another {@link #LINGER}. A command may name a partition that moves to another instance before the command is sent,
 * and only then has a waiting caller.
 */
final class OutcomePartitions {
    /** Longest time between the creation of a command and its sending. */
    static final Duration LINGER = Duration.ofSeconds(10);

    private final Map<Integer, Long> untilNanos = new HashMap<>();

    /**
     * The partitions to read from now on.
     *
     * @param ownPartition the partition of this instance, or null
     * @param awaited the partitions of waiting callers
     */
    Set<Integer> at(long nanos, @Nullable Integer ownPartition, Set<Integer> awaited) {
        untilNanos.values().removeIf(expiry -> expiry - nanos <= 0);
        awaited.forEach(partition -> keep(partition, nanos));
        if (ownPartition != null) {
            keep(ownPartition, nanos);
        }
        return Set.copyOf(untilNanos.keySet());
    }

    private void keep(int partition, long nanos) {
        untilNanos.put(partition, nanos + LINGER.toNanos());
    }
}
