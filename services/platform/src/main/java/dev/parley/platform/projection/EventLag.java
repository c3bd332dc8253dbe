package dev.parley.platform.projection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * How far a projection is behind its topic, by partition. Ends of the topic are observed from outside, so that the lag
 * grows while the projection waits for its database. Its age is measured with a monotonic clock: the time since the
 * topic first ended behind what is projected. Thread-safe.
 */
final class EventLag {
    /** Beyond it observations are thinned out: the oldest decides the age. */
    private static final int MAX_OBSERVED = 600;

    private record Observed(long end, long nanoTime) {}

    private static final class Partition {
        private long next;
        private long end;
        private final Deque<Observed> ahead = new ArrayDeque<>();

        Partition(long next) {
            this.next = next;
            this.end = next;
        }

        void projected(long offset) {
            next = Math.max(next, offset);
            while (!ahead.isEmpty() && ahead.peekFirst().end() <= next) {
                ahead.removeFirst();
            }
        }

        void ends(long offset, long nanoTime) {
            if (offset > end && offset > next) {
                if (ahead.size() >= MAX_OBSERVED) {
                    ahead.removeLast();
                }
                ahead.addLast(new Observed(offset, nanoTime));
            }
            end = Math.max(end, offset);
        }
    }

    private final Map<Integer, Partition> partitions = new HashMap<>();

    /** The projection is responsible for the partition; unless its position is told, it counts from the next end. */
    synchronized void assigned(int partition) {
        partitions.putIfAbsent(partition, new Partition(-1));
    }

    /** The projection is no longer responsible for the partition. */
    synchronized void revoked(int partition) {
        partitions.remove(partition);
    }

    /** The offsets of the next events to project. */
    synchronized void projected(Map<Integer, Long> next) {
        next.forEach((partition, offset) -> {
            Partition known = partitions.get(partition);
            if (known != null && known.next < 0) {
                partitions.put(partition, new Partition(offset));
            } else if (known != null) {
                known.projected(offset);
            }
        });
    }

    /** The ends of the topic, as they are at a time of {@link System#nanoTime}. */
    synchronized void ends(Map<Integer, Long> ends, long nanoTime) {
        ends.forEach((partition, offset) -> {
            Partition known = partitions.get(partition);
            if (known != null && known.next < 0) {
                partitions.put(partition, new Partition(offset));
            } else if (known != null) {
                known.ends(offset, nanoTime);
            }
        });
    }

    /** Number of offsets between the projection and the ends that were last observed. */
    synchronized long records() {
        return partitions.values().stream()
                .mapToLong(partition -> Math.max(0, partition.end - partition.next))
                .sum();
    }

    /** For how many seconds the oldest event that is not projected has been known; 0 without lag. */
    synchronized double seconds(long nanoTime) {
        return partitions.values().stream()
                .filter(partition -> !partition.ahead.isEmpty())
                .mapToDouble(partition -> (nanoTime - partition.ahead.getFirst().nanoTime()) / 1e9)
                .max()
                .orElse(0);
    }
}
